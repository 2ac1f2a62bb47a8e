import * as vscode from 'vscode';
import type { Choice } from '../accounts/dialogs.ts';
import { requireScope } from '../accounts/problem.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import type { App } from '../app.ts';
import { separator } from '../common/inertWindow.ts';
import type { Changes } from './changes.ts';
import { effectLabel, eventLabel, groupBySubject, levelLabel, scopeLabel, valueLabel } from './labels.ts';
import { type NotificationScope, scopeKey } from './scope.ts';
import { findParents, groupsAmong, inheritedBy, scopeOfArgument } from './scopes.ts';
import { type Change, eventsOf, planOf, type Settings } from './settings.ts';
import type { SettingsService } from './settingsService.ts';

const { t } = vscode.l10n;
const openPage = 'beacon.notifications.open';
/** So that all names begin at the same edge. */
const blank = new vscode.ThemeIcon('blank');

/** Changes the level or one event of a scope by one choice from a list, with a button that takes it back; without a scope the page opens. */
export async function changeQuickly(
  argument: unknown,
  app: App,
  service: SettingsService,
  changes: Changes,
): Promise<void> {
  const scope = await scopeOfArgument(argument, app, 'PUT');
  if (!scope) {
    await vscode.commands.executeCommand(openPage);
    return;
  }
  const { accountId } = scope;
  requireScope((await app.connections.of(accountId)).account, 'PUT');
  const [expected, inherited] = await changes.dialogs.viewProgress(() =>
    Promise.all([service.read(scope), inheritedLabel(scope, app, service)]),
  );
  const title = t('E-Mail Notifications: {0}', scopeLabel(scope));
  const chosen = await changes.dialogs.choose<Change | 'form'>(
    app.accountInUse.named(title, accountId),
    expected.level === 'custom'
      ? t('Select a level, or an event to turn on or off')
      : t('Select a level, or an event, which sets the level Custom'),
    linesOf(scope, expected, inherited),
  );
  if (chosen === 'form') {
    await vscode.commands.executeCommand(openPage, scope);
  } else if (chosen) {
    await changes.send([planOf(scope, expected, chosen)]);
  }
}

/** What the level `global` stands for; undefined where it does not exist or cannot be known. */
async function inheritedLabel(
  scope: NotificationScope,
  { connections }: App,
  service: SettingsService,
): Promise<string | undefined> {
  const { accountId, kind } = scope;
  if (kind === 'global') {
    return undefined;
  }
  const parents = await findParents([scope], await connections.of(accountId));
  const readings = await service.readAll([{ kind: 'global', accountId }, ...groupsAmong(parents)]);
  const settingsOf = (one: NotificationScope): Settings | undefined =>
    readings.find((reading) => scopeKey(reading.scope) === scopeKey(one))?.settings;
  const effect = inheritedBy(scope, { parents, settingsOf });
  return effect && effectLabel(effect, scope);
}

function linesOf(
  scope: NotificationScope,
  settings: Settings,
  inherited: string | undefined,
): readonly Choice<Change | 'form'>[] {
  const levels = notificationLevels.filter((level) => level !== 'global' || scope.kind !== 'global');
  const ofLevels = levels.map((level): Choice<Change | 'form'> => {
    const { name, meaning } = levelLabel(level);
    const isHeld = level === settings.level;
    const isForm = level === 'custom';
    const description = [
      // Icons say nothing to screen readers.
      isHeld && t('current'),
      // Which events it stands for is hidden by another level. With its meaning the editor would cut the line.
      isForm ? t('opens Notification Settings') : level === 'global' ? (inherited ?? meaning) : meaning,
    ];
    return {
      label: isForm ? t('Custom…') : name,
      description: description.filter(Boolean).join(' · '),
      picked: isHeld,
      iconPath: isHeld ? new vscode.ThemeIcon('check') : blank,
      ...(isForm ? { value: 'form' } : isHeld ? {} : { value: { level } }),
    };
  });
  const ofEvents = groupBySubject(eventsOf(settings)).flatMap(({ subject, events }) => [
    separator(subject),
    ...events.map((event) => eventLine(event, settings)),
  ]);
  return [...ofLevels, ...ofEvents];
}

/** Turns an event off that is on, and on where it is not known to be. */
function eventLine(event: string, settings: Settings): Choice<Change> {
  const isOn = settings[event] === true;
  const { name, meaning } = eventLabel(event);
  // With another level the state of an event does not count.
  const state = settings.level === 'custom' ? valueLabel(event, settings[event]) : '';
  return {
    label: isOn ? t('Turn Off: {0}', name) : t('Turn On: {0}', name),
    description: [state, meaning].filter(Boolean).join(' · '),
    iconPath: blank,
    value: { level: 'custom', [event]: !isOn },
  };
}
