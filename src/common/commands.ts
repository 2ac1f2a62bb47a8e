/**
 * The ids of all commands, by the feature that gives them: those of the manifest, and those that only rows, messages, fixes, tooltips
 * and keybindings run. All are registered.
 */
export const commandIds = {
  general: [
    'beacon.accounts',
    'beacon.diagnoseConnection',
    'beacon.enterPassphrase',
    'beacon.openSample',
    'beacon.replaceToken',
    'beacon.reportIssue',
    'beacon.reset',
    'beacon.showLog',
    'beacon.signIn',
    'beacon.signOut',
    'beacon.trustCertificate',
    'beacon.trySandbox',
  ],
  activity: [
    'beacon.activity.clearFilter',
    'beacon.activity.copyLink',
    'beacon.activity.countInBadge',
    'beacon.activity.filter',
    'beacon.activity.filterByAuthor',
    'beacon.activity.filterByKind',
    'beacon.activity.filterByProject',
    'beacon.activity.leaveOutOfBadge',
    'beacon.activity.loadMore',
    'beacon.activity.manageMutes',
    'beacon.activity.markAllRead',
    'beacon.activity.markDayRead',
    'beacon.activity.markFeedRead',
    'beacon.activity.markRead',
    'beacon.activity.markUnread',
    'beacon.activity.muteAuthor',
    'beacon.activity.muteKind',
    'beacon.activity.muteProject',
    'beacon.activity.openInBrowser',
    'beacon.activity.pinFeed',
    'beacon.activity.refresh',
    'beacon.activity.refreshFeed',
    'beacon.activity.selectFeed',
    'beacon.activity.showCommits',
    'beacon.activity.showEvent',
    'beacon.activity.showEventSource',
    'beacon.activity.showInsights',
    'beacon.activity.showMoreOfDay',
    'beacon.activity.showNextEvent',
    'beacon.activity.showOnlyNew',
    'beacon.activity.showPreviousEvent',
    'beacon.activity.showRead',
    'beacon.activity.summarize',
    'beacon.activity.unpinFeed',
  ],
  errorTracking: [
    'beacon.errorTracking.copyDsn',
    'beacon.errorTracking.createKey',
    'beacon.errorTracking.deleteKey',
    'beacon.errorTracking.disable',
    'beacon.errorTracking.insertDsn',
    'beacon.errorTracking.moveToEnvironment',
    'beacon.errorTracking.openOnWeb',
    'beacon.errorTracking.pinProject',
    'beacon.errorTracking.refresh',
    'beacon.errorTracking.reloadProject',
    'beacon.errorTracking.replaceDsn',
    'beacon.errorTracking.replaceKey',
    'beacon.errorTracking.sendTestError',
    'beacon.errorTracking.setUp',
    'beacon.errorTracking.unpinProject',
  ],
  notifications: [
    'beacon.notifications.change',
    'beacon.notifications.manageProfiles',
    'beacon.notifications.open',
    'beacon.notifications.openOfProject',
  ],
  apiHints: ['beacon.apiHints.check', 'beacon.apiHints.toggle'],
} as const;

type Feature = keyof typeof commandIds;

export type CommandId = (typeof commandIds)[Feature][number];

/** What a command runs; the editor passes what the command was chosen on. */
export type Command = (...args: never[]) => unknown;

export type Commands = Readonly<Partial<Record<CommandId, Command>>>;

/** All commands of a feature: without one of them it does not compile. */
export type CommandsOf<Of extends Feature> = Readonly<Record<(typeof commandIds)[Of][number], Command>>;
