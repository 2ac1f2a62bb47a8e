import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ApiChanges } from '../../src/apiChanges/apiChanges.ts';
import { announcedChanges } from '../../src/apiChanges/catalogue.ts';
import { hoverOf } from '../../src/apiChanges/hintLabels.ts';
import { ReadinessCheck } from '../../src/apiChanges/readinessCheck.ts';
import type { ReportDocuments } from '../../src/common/reportDocuments.ts';
import type { ReadOptions, WorkspaceFiles } from '../../src/workspace/files.ts';

interface Git {
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

const program = `const api = 'https://gitlab.example.com/api/v4';
const runner = await (await fetch(\`\${api}/runners/7\`)).json();
if (!runner.active) {
  report(runner.ip_address);
}
await fetch(\`\${api}/geo_nodes\`);
`;

describe('hints on announced changes', () => {
  let folder: string;
  // The workspace is this project, which keeps no settings of its own.
  const settingsFile = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.vscode', 'settings.json');
  const hadSettings = existsSync(settingsFile);
  const configuration = () => vscode.workspace.getConfiguration('beacon.apiHints');

  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const own = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Beacon');

  /** Waits until the hints of a document are as wanted; the time-out of the test ends a wait in vain. */
  async function hintsOf(
    uri: vscode.Uri,
    wanted: (hints: vscode.Diagnostic[]) => boolean,
  ): Promise<vscode.Diagnostic[]> {
    while (!wanted(own(uri))) {
      await new Promise<void>((resolve) => {
        const subscription = vscode.languages.onDidChangeDiagnostics(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
    return own(uri);
  }

  async function open(path: string): Promise<vscode.TextDocument> {
    return vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, path)));
  }

  async function fixesAt(document: vscode.TextDocument, text: string): Promise<vscode.CodeAction[]> {
    const start = document.positionAt(document.getText().indexOf(text) + 1);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(start, start),
    );
    return actions.filter(({ title }) => title.startsWith('Use'));
  }

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-deprecations-')));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    write('.gitignore', 'generated/\n');
    for (const name of [
      'client.ts',
      'again.ts',
      'fixed.ts',
      'typed.ts',
      'switch.ts',
      'slow.ts',
      'severity.ts',
      'generated/client.ts',
    ]) {
      write(name, program);
    }
    write('clean.ts', program.replaceAll(/active|ip_address|geo_nodes/g, 'other'));
    write('check/scripts/mirror.sh', 'curl -X PUT -d mirror=true "$CI_API_V4_URL/projects/1"\n');
    write('check/a [b] `c`.py', 'import requests\nrequests.get(f"{base}/api/v4/geo_nodes") # `x`\n');
    write('check/bundle.js', `fetch("https://gitlab.example.com/api/v4/geo_nodes");${'x();'.repeat(6000)}\n`);
    write('check/generated/skipped.sh', 'curl "$CI_API_V4_URL/geo_nodes"\n');
    const git = await vscode.extensions.getExtension<Git>('vscode.git')?.activate();
    await git?.getAPI(1).openRepository(vscode.Uri.file(folder));
    await vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab')?.activate();
  });

  afterEach(() => configuration().update('enable', undefined, vscode.ConfigurationTarget.Workspace));
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    if (!hadSettings) {
      rmSync(settingsFile, { force: true });
    }
  });

  it('have a text for every announced change, which is Markdown without trust', () => {
    const { t } = vscode.l10n;
    for (const { id, item, labels } of announcedChanges) {
      const { title, inV5, today } = labels(t);
      assert.ok(
        [title, inV5, today].every((text) => /^[A-Z`].+\.$/.test(text)),
        item,
      );
      assert.ok(!hoverOf(id, 'likely').isTrusted);
    }
    const titles = announcedChanges.map(({ labels }) => labels(t).title);
    assert.equal(new Set(titles).size, announcedChanges.length);
  });

  it('stand in open documents, as information that links to the announcement', async () => {
    const document = await open('client.ts');
    const hints = await hintsOf(document.uri, ({ length }) => length === 3);
    assert.deepEqual(
      hints.map(({ range }) => document.getText(range)),
      ['active', 'ip_address', 'geo_nodes'],
    );
    const [first] = hints;
    assert.equal(first?.severity, vscode.DiagnosticSeverity.Information);
    assert.deepEqual(first?.tags, [vscode.DiagnosticTag.Deprecated]);
    assert.match(first?.message ?? '', /^API v5: The property “active” of a runner is replaced by “paused”\./);
    assert.match(JSON.stringify(first?.code), /docs\.gitlab\.com/);
  });

  it('follow what is typed', async () => {
    const document = await open('typed.ts');
    await hintsOf(document.uri, ({ length }) => length === 3);
    const edit = new vscode.WorkspaceEdit();
    const text = document.getText();
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(0), document.positionAt(text.length)),
      `// typed\n${text.replace('geo_nodes', 'geo_sites')}`,
    );
    await vscode.workspace.applyEdit(edit);
    const hints = await hintsOf(document.uri, ({ length }) => length === 2);
    assert.deepEqual(
      hints.map(({ range }) => document.getText(range)),
      ['active', 'ip_address'],
    );
  });

  it('say in a hover what the catalogue says beyond the hint, which stands there, too', async () => {
    const document = await open('again.ts');
    await hintsOf(document.uri, ({ length }) => length === 3);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      document.positionAt(document.getText().indexOf('ip_address') + 2),
    );
    const texts = hovers.flatMap(({ contents }) => contents.map((content) => (content as vscode.MarkdownString).value));
    assert.ok(
      texts.some((text) => /In v5/.test(text) && /Since release 17\.0/.test(text) && !/Today|Announcement/.test(text)),
    );
    const elsewhere = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(1, 2),
    );
    assert.ok(
      elsewhere
        .flatMap(({ contents }) => contents)
        .every((content) => !(content as vscode.MarkdownString).value.includes('v5')),
    );
  });

  it('offer the fix that is safe, and only that', async () => {
    const document = await open('fixed.ts');
    await hintsOf(document.uri, ({ length }) => length === 3);
    assert.deepEqual(await fixesAt(document, 'ip_address'), []);
    for (const [name, title, left] of [
      ['active', 'Use “paused”, the opposite of “active”', 2],
      ['geo_nodes', 'Use “geo_sites”', 1],
    ] as const) {
      const fix = (await fixesAt(document, name)).find((action) => action.title === title);
      assert.ok(fix?.edit, title);
      assert.equal(fix.isPreferred, true);
      await vscode.workspace.applyEdit(fix.edit);
      await hintsOf(document.uri, ({ length }) => length === left);
    }
    const hints = await hintsOf(document.uri, ({ length }) => length === 1);
    assert.equal(document.getText(hints[0]?.range), 'ip_address');
    assert.match(document.getText(), /if \(runner\.paused\) \{/);
    assert.match(document.getText(), /geo_sites/);
  });

  it('leave files alone that git ignores', async () => {
    const [ignored, clean, other] = [
      await open('generated/client.ts'),
      await open('clean.ts'),
      await open('client.ts'),
    ];
    await hintsOf(other.uri, ({ length }) => length === 3);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(ignored.uri, new vscode.Position(0, 0), '// changed\n');
    edit.insert(clean.uri, new vscode.Position(0, 0), '// changed\n');
    edit.insert(other.uri, new vscode.Position(0, 0), `await fetch(\`\${CI_API_V4_URL}/geo_nodes\`);\n`);
    await vscode.workspace.applyEdit(edit);
    await hintsOf(other.uri, ({ length }) => length === 4);
    assert.deepEqual(own(ignored.uri), []);
    assert.deepEqual(own(clean.uri), []);
  });

  it('have the severity of the setting', async () => {
    const document = await open('severity.ts');
    await hintsOf(document.uri, ({ length }) => length === 3);
    await configuration().update('severity', 'error', vscode.ConfigurationTarget.Global);
    const hints = await hintsOf(document.uri, ([hint]) => hint?.severity === vscode.DiagnosticSeverity.Error);
    assert.equal(hints.length, 3);
    await configuration().update('severity', undefined, vscode.ConfigurationTarget.Global);
    await hintsOf(document.uri, ([hint]) => hint?.severity === vscode.DiagnosticSeverity.Information);
  });

  it('can be switched off and on for a workspace', async () => {
    const document = await open('switch.ts');
    await hintsOf(document.uri, ({ length }) => length === 3);
    await vscode.commands.executeCommand('beacon.apiHints.toggle');
    await hintsOf(document.uri, ({ length }) => length === 0);
    assert.equal(configuration().inspect('enable')?.workspaceValue, false);
    assert.deepEqual(await fixesAt(document, 'geo_nodes'), []);
    await vscode.commands.executeCommand('beacon.apiHints.toggle');
    await hintsOf(document.uri, ({ length }) => length === 3);
  });

  it('follow the settings as they are now, however long git took before', async () => {
    const [asked, ignored] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    const isIgnored = async ({ path }: vscode.Uri) => {
      if (!path.endsWith('slow.ts')) {
        return true;
      }
      asked.resolve();
      return ignored.promise;
    };
    const slow = new ApiChanges({
      files: { isIgnored } as unknown as WorkspaceFiles,
      log: { warn: assert.fail, error: assert.fail } as unknown as vscode.LogOutputChannel,
    });
    const document = await open('slow.ts');
    await Promise.all([asked.promise, hintsOf(document.uri, ({ length }) => length === 3)]);
    await vscode.commands.executeCommand('beacon.apiHints.toggle');
    await hintsOf(document.uri, ({ length }) => length === 0);
    ignored.resolve(false);
    assert.deepEqual(await fixesAt(document, 'geo_nodes'), []);
    assert.deepEqual(own(document.uri), []);
    await vscode.commands.executeCommand('beacon.apiHints.toggle');
    await hintsOf(document.uri, ({ length }) => length === 6);
    slow.dispose();
  });

  describe('in the report of a workspace', () => {
    const reportUri = (): vscode.Uri | undefined => vscode.window.activeTextEditor?.document.uri;

    it('stand by change, with links to their places, and how sure they are', async () => {
      await vscode.commands.executeCommand(
        'beacon.apiHints.check',
        new vscode.RelativePattern(vscode.Uri.file(join(folder, 'check')), '**/*'),
      );
      const text = vscode.window.activeTextEditor?.document.getText() ?? '';
      assert.equal(vscode.window.activeTextEditor?.document.languageId, 'markdown');
      assert.match(
        text,
        /^# API v5 Hints\n\nPlaces that rely on .*: 2 certain, 0 likely, 0 possible\. Files with such places: 2 of 3\. /,
      );
      assert.match(text, /\| `\/geo_nodes` \| 1 \| 0 \| 0 \| 1 \|\n\| `mirror`, `mirror_\*` \| 1 \| 0 \| 0 \| 1 \|/);
      assert.match(text, /## `\/geo_nodes`\n\nThe `geo_nodes` endpoints are replaced by `geo_sites`\./);
      assert.match(text, /— certain, quick fix: `` requests\.get\(f"\{base\}\/api\/v4\/geo_nodes"\) # `x` ``/);
      assert.match(text, /a \\\[b\\\] \\`c\\`\.py:2\]/);
      assert.match(text, /Since release 17\.6\./);
      assert.doesNotMatch(text, /generated\/skipped/);
      assert.match(text, /## Files that were not checked\n\n- `[^`]*bundle\.js`: generated/);
    });

    it('link to where they are', async () => {
      const uri = reportUri();
      assert.ok(uri);
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', uri, 100);
      const targets = links.map(({ target }) => target).filter((target) => target?.scheme === 'file');
      // In the order of the report: `geo_nodes`, then `mirror`.
      assert.deepEqual(
        targets.map((target) => `${target?.fsPath}#${target?.fragment}`),
        [join(folder, 'check/a [b] `c`.py#L2,30'), join(folder, 'check/scripts/mirror.sh#L1,16')],
      );
    });

    it('list files that cannot be checked with the reason', async () => {
      const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
      const own = mkdtempSync(join(root, 'readiness-'));
      // An open report is updated a moment after the command is done.
      const check = async (wanted: RegExp): Promise<string> => {
        await vscode.commands.executeCommand('beacon.apiHints.check');
        const report = vscode.window.activeTextEditor?.document;
        assert.ok(report);
        while (!wanted.test(report.getText())) {
          await new Promise<void>((resolve) => {
            const subscription = vscode.workspace.onDidChangeTextDocument(() => {
              subscription.dispose();
              resolve();
            });
          });
        }
        return report.getText();
      };
      try {
        const call = 'curl "$CI_API_V4_URL/geo_nodes"\n';
        writeFileSync(join(own, 'old.sh'), call);
        writeFileSync(join(own, 'large.sh'), call.padEnd(1024 * 1024 + 1, '#'));
        writeFileSync(join(own, 'generated.sh'), `${call}${'x'.repeat(20_001)}\n`);
        writeFileSync(join(own, 'list.sh'), call.repeat(5002));
        const first = await check(/old\.sh:1\]/);
        for (const [name, reason] of [
          ['large.sh', 'larger than 1 MiB'],
          ['generated.sh', 'generated: it has a line of more than 20,000 characters'],
          ['list.sh', 'takes too much work'],
        ] as const) {
          assert.ok(first.includes(`- \`${basename(own)}/${name}\`: ${reason}`), name);
        }
      } finally {
        rmSync(own, { recursive: true });
      }
    });

    it('go on after files that cannot be read or understood', async () => {
      const uris = ['a.sh', 'b.sh', 'c.sh'].map((name) => vscode.Uri.file(join(folder, 'check', name)));
      // Breaks whatever looks into it beyond what decides whether it is worth reading.
      const broken = { length: 9, indexOf: () => -1, toString: () => 'gitlab geo_nodes' } as unknown as string;
      const call = 'curl "$CI_API_V4_URL/geo_nodes"';
      const files = {
        async *read({ onSkipped }: ReadOptions = {}) {
          onSkipped?.(uris[0] as vscode.Uri, 'unreadable');
          yield { uri: uris[1] as vscode.Uri, text: broken };
          yield { uri: uris[2] as vscode.Uri, text: call };
        },
      } as unknown as WorkspaceFiles;
      const reports: string[] = [];
      const readiness = new ReadinessCheck({
        files,
        documents: {
          show: async (_: string, report: string) => void reports.push(report),
        } as unknown as ReportDocuments,
        log: { warn() {} } as unknown as vscode.LogOutputChannel,
      });
      await readiness.run();
      const [report = ''] = reports;
      assert.match(report, /: 1 certain, 0 likely, 0 possible\./);
      assert.match(
        report,
        /- `[^`]*a\.sh`: cannot be read\n- `[^`]*b\.sh`: could not be understood; the log has details/,
      );
    });

    it('say in a workspace that is not trusted that they need trust', async () => {
      const [trust, show] = [
        Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted'),
        Object.getOwnPropertyDescriptor(vscode.window, 'showInformationMessage'),
      ];
      const shown: string[] = [];
      Object.defineProperty(vscode.workspace, 'isTrusted', { get: () => false, configurable: true });
      Object.defineProperty(vscode.window, 'showInformationMessage', {
        value: async (sentence: string) => void shown.push(sentence),
        configurable: true,
      });
      try {
        await vscode.commands.executeCommand('beacon.apiHints.check');
      } finally {
        Object.defineProperty(vscode.workspace, 'isTrusted', trust as PropertyDescriptor);
        Object.defineProperty(vscode.window, 'showInformationMessage', show as PropertyDescriptor);
      }
      assert.deepEqual(shown, ['Files are checked in trusted workspaces only.']);
    });

    it('are none where nothing is found, and no document opens', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand(
        'beacon.apiHints.check',
        new vscode.RelativePattern(vscode.Uri.file(folder), 'clean.ts'),
      );
      assert.equal(vscode.window.activeTextEditor, undefined);
    });
  });
});
