import * as vscode from 'vscode';
import { defaultVariable, envLine } from './envFile.ts';

/** A form in which a DSN is copied. */
export interface CopyForm {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
}

/** The forms in which a DSN is of use elsewhere. */
export function copyForms(dsn: string): readonly CopyForm[] {
  const name = defaultVariable;
  const [line, shown] = [dsn, '…'].map((value) => envLine(name, `'${value}'`));
  return [
    { label: vscode.l10n.t('DSN'), detail: dsn, text: dsn },
    { label: vscode.l10n.t('Env Line'), detail: envLine(name, '…'), text: envLine(name, dsn) },
    {
      label: vscode.l10n.t('Shell Command'),
      detail: `export ${shown}`,
      text: `export ${line}`,
    },
    {
      label: vscode.l10n.t('Docker Option'),
      detail: `docker run --env ${shown}`,
      text: `--env ${line}`,
    },
    {
      label: vscode.l10n.t('Docker Compose'),
      detail: `environment: ${name}: …`,
      text: `environment:\n  ${name}: '${dsn}'\n`,
    },
    {
      label: vscode.l10n.t('Kubernetes Secret'),
      detail: 'kind: Secret',
      text: [
        'apiVersion: v1',
        'kind: Secret',
        'metadata:',
        '  name: sentry-dsn',
        'type: Opaque',
        'stringData:',
        `  ${name}: '${dsn}'`,
        '',
      ].join('\n'),
    },
    {
      label: vscode.l10n.t('Kubernetes Container'),
      detail: vscode.l10n.t('env of a container, from the secret sentry-dsn'),
      text: [
        'env:',
        `  - name: ${name}`,
        '    valueFrom:',
        '      secretKeyRef:',
        '        name: sentry-dsn',
        `        key: ${name}`,
        '',
      ].join('\n'),
    },
  ];
}
