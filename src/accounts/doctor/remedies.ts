import * as vscode from 'vscode';
import { confirm } from '../../common/inertWindow.ts';
import { tokenListUrl } from '../instanceUrl.ts';
import { openSettings } from '../problem.ts';
import { trustFingerprint } from '../network/networkSettings.ts';
import type { Remedy, ShownCertificate } from './finding.ts';

/** What a remedy is for. */
export interface Patient {
  /** Undefined if what was typed is none. */
  readonly instanceUrl: string | undefined;
  readonly accountId: string | undefined;
}

/** The words on the button of a remedy. */
export function remedyTitle(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'openSetting':
      return vscode.l10n.t('Open Setting {0}', remedy.setting);
    case 'enterPassphrase':
      return vscode.l10n.t('Enter Passphrase…');
    case 'trustFingerprint':
      return vscode.l10n.t('Trust Certificate…');
    case 'otherUrl':
      return vscode.l10n.t('Try Another URL…');
    case 'signIn':
      return vscode.l10n.t('Sign In…');
    case 'renewToken':
      return vscode.l10n.t('Renew Token…');
    case 'openInstance':
      return vscode.l10n.t('Open Instance in Browser');
    case 'openTokenPage':
      return vscode.l10n.t('Open Token Page');
    case 'showLog':
      return vscode.l10n.t('Show Log');
  }
}

/** The icon of a remedy where there is no room for words. */
export function remedyIcon({ kind }: Remedy): vscode.ThemeIcon {
  const names: Record<Remedy['kind'], string> = {
    openSetting: 'settings-gear',
    enterPassphrase: 'key',
    trustFingerprint: 'shield',
    otherUrl: 'edit',
    signIn: 'sign-in',
    renewToken: 'refresh',
    openInstance: 'link-external',
    openTokenPage: 'link-external',
    showLog: 'output',
  };
  return new vscode.ThemeIcon(names[kind]);
}

/**
 * Carries out a remedy.
 *
 * @returns whether it is worth to look at the connection again at once.
 */
export async function carryOut(remedy: Remedy, { instanceUrl, accountId }: Patient): Promise<boolean> {
  const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
    vscode.commands.executeCommand(command, ...args);
  switch (remedy.kind) {
    case 'openSetting': {
      const { command, arguments: args = [] } = openSettings(remedy.setting);
      await run(command, ...(args as unknown[]));
      return false;
    }
    case 'enterPassphrase':
      await run('beacon.enterPassphrase');
      return true;
    case 'trustFingerprint':
      return instanceUrl !== undefined && trust(instanceUrl, remedy.certificate);
    case 'otherUrl':
      await run('beacon.diagnoseConnection', { askUrl: true });
      return false;
    case 'signIn':
      await run('beacon.signIn');
      return false;
    case 'renewToken':
      await run('beacon.renewToken', accountId);
      return true;
    case 'openInstance':
    case 'openTokenPage':
      if (instanceUrl !== undefined) {
        const page = remedy.kind === 'openInstance' ? instanceUrl : tokenListUrl(instanceUrl);
        await run('vscode.open', vscode.Uri.parse(page));
      }
      return false;
    case 'showLog':
      await run('beacon.showLog');
      return false;
  }
}

/** Trusts a certificate after the person has compared it. */
async function trust(instanceUrl: string, { subject, issuer, fingerprint }: ShownCertificate): Promise<boolean> {
  const { host } = new URL(instanceUrl);
  const isMeant = await confirm(
    vscode.l10n.t('Trust this certificate for {0}?', host),
    vscode.l10n.t(
      'Compare the SHA-256 fingerprint with the one that the administrators of {0} give you. Whoever answers with this certificate gets your token.\n\n{1}\n\nSubject: {2}\nIssuer: {3}',
      host,
      fingerprint,
      subject,
      issuer,
    ),
    vscode.l10n.t('Trust Certificate'),
  );
  if (isMeant) {
    await trustFingerprint(instanceUrl, fingerprint);
  }
  return isMeant;
}
