import * as vscode from 'vscode';
import type { Commands } from '../common/commands.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { ask, chooseOne } from '../common/question.ts';
import { accessSecrets } from '../common/stored.ts';
import { tlsSettingErrorLabel } from './labels.ts';
import { TlsSettingError } from './networkErrors.ts';
import { canonicalEntry, type InstanceTlsSetting, lockedFile, readTlsSetting } from './networkSettings.ts';
import { loadInstanceTls } from './tls.ts';

const prefix = 'passphrase:';

/** Of client certificates, by the entry of `beacon.tls`, in the editor's secret store. */
export class Passphrases {
  readonly #secrets: vscode.SecretStorage;
  readonly commands = {
    'beacon.enterPassphrase': () => this.#enter(),
  } satisfies Commands;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.updateContext();
  }

  /** The palette hides the command where no file may need a passphrase. */
  updateContext(): void {
    void vscode.commands.executeCommand('setContext', 'beacon.hasKeyFile', lockedEntries().length > 0);
  }

  async of(entry: string): Promise<string | undefined> {
    return await accessSecrets('read', () => this.#secrets.get(prefix + canonicalEntry(entry)));
  }

  async keep(entry: string, passphrase: string): Promise<void> {
    await accessSecrets('write', () => this.#secrets.store(prefix + canonicalEntry(entry), passphrase));
  }

  isMeant({ key }: vscode.SecretStorageChangeEvent): boolean {
    return key.startsWith(prefix);
  }

  /** Keeps a passphrase if it opens the file. Offered only where a file may need one. */
  async #enter(): Promise<void> {
    const locked = lockedEntries();
    const choice = locked.length > 1 ? await pickEntry(locked) : locked[0];
    if (!choice) {
      return;
    }
    const { entry, instanceUrl, setting, file } = choice;
    const asked = await ask<string>({
      title: vscode.l10n.t('Passphrase for {0}', instanceName(instanceUrl)),
      prompt: vscode.l10n.t('The passphrase of the file {0}; it is kept in the secret store of the editor', file),
      placeholder: vscode.l10n.t('Passphrase'),
      value: '',
      password: true,
      check: async (typed) => {
        try {
          await loadInstanceTls(setting, instanceUrl, typed);
          return { accepted: typed };
        } catch (error) {
          if (error instanceof TlsSettingError) {
            return { rejected: tlsSettingErrorLabel(error) };
          }
          throw error;
        }
      },
    });
    if (typeof asked === 'object') {
      await this.keep(entry, asked.answer);
    }
  }
}

interface LockedEntry {
  readonly entry: string;
  readonly instanceUrl: string;
  readonly setting: InstanceTlsSetting;
  readonly file: string;
}

function lockedEntries(): LockedEntry[] {
  return Object.entries(readTlsSetting()).flatMap(([entry, setting]) => {
    const instanceUrl = normalizeInstanceUrl(entry);
    const file = lockedFile(setting);
    return instanceUrl === undefined || file === undefined ? [] : [{ entry, instanceUrl, setting, file }];
  });
}

async function pickEntry(entries: readonly LockedEntry[]): Promise<LockedEntry | undefined> {
  const items = entries.map((entry) => ({ label: instanceName(entry.instanceUrl), description: entry.file, entry }));
  const title = vscode.l10n.t('Enter Passphrase');
  return (await chooseOne(items, { title, placeholder: vscode.l10n.t('Choose the instance') }))?.entry;
}
