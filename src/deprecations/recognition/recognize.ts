import { FieldFinder } from './fields.ts';
import { filteredIn } from './filters.ts';
import type { Finding } from './findings.ts';
import { fixOfEndpoint } from './fixes.ts';
import { Flow } from './flow.ts';
import { lex } from './lexer.ts';
import { libraryCalls } from './libraries.ts';
import { codeBlocksOf, lexHttp, lexScript, lexYaml } from './mixedFiles.ts';
import { sentIn } from './parameters.ts';
import { Program } from './program.ts';
import { recordFieldsIn } from './recordTypes.ts';
import { familyOf, type LanguageFamily, syntaxOf } from './syntax.ts';

export { languageOfPath } from './languageOfPath.ts';

/** What a program that calls API v4 says somewhere: most files do not, and are not read further. */
const calling = /api_?v4|api\/v4|gitlab|glab|-token/i;
const maxLineLength = 20_000;
/** Names without which there is nothing to find. */
const telling =
  /geo_?nodes|merged_?by|merge_?status|private_profile|\/changes\b|MergeRequestChanges|[Cc]hanges\(|managed_?licenses|approvers|approval_groups|approver_groups|runners?\b|runners?_|Runners?|default_?branch_?protection|require_?password_?to_?approve|mirror|restrict_?user_?defined|remote-import|import_project|projects\/import|\/export\b|projects\/[^\n]*\/import/i;

/**
 * The places of a source that rely on an announced change.
 *
 * @param source a program, a script, a YAML file, a collection of HTTP requests, or a Markdown file with such.
 * @param languageId the id that editors have for its language; what is not known is read by rules that most languages share.
 * @returns the findings in the order of their places; offsets count UTF-16 code units, as editors do.
 */
export function recognize(source: string, languageId: string): Finding[] {
  if (!calling.test(source) || !telling.test(source) || isGenerated(source)) {
    return [];
  }
  const family = familyOf(languageId);
  if (family === 'markdown') {
    return codeBlocksOf(source).flatMap((block) =>
      recognize(block.text, block.languageId).map((finding) => moved(finding, block.start)),
    );
  }
  const flow = new Flow(source, programOf(source, family), libraryCalls(source));
  const { program } = flow;
  if (flow.allAnchors.length === 0) {
    return [];
  }
  const fields = new FieldFinder(flow);
  const endpoints = flow.allAnchors.flatMap(({ change, address, isCertain }): Finding[] => {
    if (!change) {
      return [];
    }
    const { id, ...place } = change;
    const fix = address?.changed && fixOfEndpoint(id, address.changed);
    return [{ change: id, ...place, confidence: isCertain ? 'certain' : 'likely', fix }];
  });
  return distinct([
    ...endpoints,
    ...sentIn(flow),
    ...(program.syntax ? program.tokens.flatMap((_, index) => fields.at(index) ?? []) : filteredIn(flow)),
    ...(program.syntax ? recordFieldsIn(flow) : []),
  ]);
}

/** Whether a source is nothing that people write: it has a line of enormous length. */
function isGenerated(source: string): boolean {
  let start = 0;
  for (let end = source.indexOf('\n'); end !== -1; end = source.indexOf('\n', start)) {
    if (end - start > maxLineLength) {
      return true;
    }
    start = end + 1;
  }
  return source.length - start > maxLineLength;
}

function programOf(source: string, family: Exclude<LanguageFamily, 'markdown'>): Program {
  switch (family) {
    case 'shell':
      return new Program(lexScript(source), undefined);
    case 'yaml':
      return new Program(lexYaml(source), undefined);
    case 'http':
      return new Program(lexHttp(source), undefined);
    default:
      return new Program(lex(source, syntaxOf(family)), syntaxOf(family));
  }
}

function moved(finding: Finding, by: number): Finding {
  const shifted = <T extends { readonly start: number; readonly end: number }>(range: T): T => ({
    ...range,
    start: range.start + by,
    end: range.end + by,
  });
  return { ...shifted(finding), fix: finding.fix && { ...finding.fix, edits: finding.fix.edits.map(shifted) } };
}

/** Each place once for each change, in order. */
function distinct(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.start}/${finding.change}`;
    const before = byPlace.get(key);
    if (!before || (before.confidence === 'likely' && finding.confidence === 'certain')) {
      byPlace.set(key, finding);
    }
  }
  return [...byPlace.values()].sort((one, other) => one.start - other.start || one.end - other.end);
}
