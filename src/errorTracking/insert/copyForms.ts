import * as vscode from 'vscode';
import type { Choice } from '../../accounts/dialogs.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import { defaultVariable as name, envLine } from './envFile.ts';

const secret = (dsn: string): string => `apiVersion: v1
kind: Secret
metadata:
  name: sentry-dsn
type: Opaque
stringData:
  ${name}: '${dsn}'
`;

const container = `env:
  - name: ${name}
    valueFrom:
      secretKeyRef:
        name: sentry-dsn
        key: ${name}
`;

/** The forms in which the DSN of a key is copied; what a shell reads is in quotes. */
export function copyForms({
  tracker_dsn: dsn,
  public_key: publicKey,
}: ClientKeyRecord): readonly Choice<{ readonly label: string; readonly text: string }>[] {
  const { t } = vscode.l10n;
  const shell = `${name}='${dsn}'`;
  const form = (label: string, description: string, text: string) => ({ label, description, value: { label, text } });
  return [
    form(t('DSN'), dsn, dsn),
    form(t('Env Line'), `${name}=…`, envLine(name, dsn)),
    form(t('Shell Command'), `export ${name}='…'`, `export ${shell}`),
    form(t('Docker Option'), `docker run --env ${name}='…'`, `--env ${shell}`),
    form(t('Docker Compose'), `environment: ${name}: …`, `environment:\n  ${name}: '${dsn}'\n`),
    form(t('Kubernetes Secret'), 'kind: Secret', secret(dsn)),
    form(t('Kubernetes Container'), t('env of a container, from the secret sentry-dsn'), container),
    form(t('Public Key'), publicKey, publicKey),
  ];
}
