import * as vscode from 'vscode';
import { defaultVariable as name, envLine } from './envFile.ts';

/** A form in which a DSN is of use elsewhere. */
export interface CopyForm {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
}

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

/** The forms in which a DSN is copied; what a shell reads is in quotes. */
export function copyForms(dsn: string): readonly CopyForm[] {
  const { t } = vscode.l10n;
  const line = envLine(name, dsn);
  const shell = `${name}='${dsn}'`;
  const form = (label: string, detail: string, text: string): CopyForm => ({ label, detail, text });
  return [
    form(t('DSN'), dsn, dsn),
    form(t('Env Line'), `${name}=…`, line),
    form(t('Shell Command'), `export ${name}='…'`, `export ${shell}`),
    form(t('Docker Option'), `docker run --env ${name}='…'`, `--env ${shell}`),
    form(t('Docker Compose'), `environment: ${name}: …`, `environment:\n  ${name}: '${dsn}'\n`),
    form(t('Kubernetes Secret'), 'kind: Secret', secret(dsn)),
    form(t('Kubernetes Container'), t('env of a container, from the secret sentry-dsn'), container),
  ];
}
