import * as vscode from 'vscode';
import { type AnnouncedChange, type ChangeId, changeOf } from './catalogue.ts';
import { hintSource } from './hints.ts';
import type { Tier } from './structure.ts';

/** What users read of an announced change. Code stands between backquotes. */
export interface ChangeText {
  /** One sentence that says what changes. */
  readonly title: string;
  /** What v5 does. */
  readonly inV5: string;
  /** What can be done today, within v4. */
  readonly today: string;
}

/** The list of announced changes in the platform's documentation. */
export const announcement = 'https://docs.gitlab.com/api/rest/deprecations/';

/** The texts of a change. */
export function textOf(id: ChangeId): ChangeText {
  const { t } = vscode.l10n;
  switch (id) {
    case 'geoNodes':
      return {
        title: t('The `geo_nodes` endpoints are replaced by `geo_sites`.'),
        inV5: t('The `geo_nodes` endpoints are replaced.'),
        today: t('Use `geo_sites`: the functionality is the same.'),
      };
    case 'mergedBy':
      return {
        title: t('The field `merged_by` of a merge request is replaced by `merge_user`.'),
        inV5: t('The field is removed.'),
        today: t('Read `merge_user`.'),
      };
    case 'mergeStatus':
      return {
        title: t('The field `merge_status` of a merge request is replaced by `detailed_merge_status`.'),
        inV5: t('The field is removed.'),
        today: t('Read `detailed_merge_status`. It has other and more values: revise your comparisons.'),
      };
    case 'nullPrivateProfile':
      return {
        title: t('`private_profile` of a user may no longer be null.'),
        inV5: t('Only true and false are accepted; null is answered with status 400.'),
        today: t('Send true or false, or leave `private_profile` out; null is converted to the default.'),
      };
    case 'mergeRequestChanges':
      return {
        title: t('The endpoint with the changes of a merge request is replaced by the one that lists its diffs.'),
        inV5: t('The endpoint is removed.'),
        today: t('List `/projects/:id/merge_requests/:iid/diffs`: a paginated list of what `changes` contained.'),
      };
    case 'managedLicenses':
      return {
        title: t('The endpoint for the managed licenses of a project is replaced by license approval policies.'),
        inV5: t('The endpoint is removed.'),
        today: t('Use license approval policies.'),
      };
    case 'approvers':
      return {
        title: t('`approvers` and `approval_groups` of the approvals configuration of a project are always empty.'),
        inV5: t('Both fields are removed.'),
        today: t('List the approval rules of the merge request: `/projects/:id/merge_requests/:iid/approval_rules`.'),
      };
    case 'runnerActive':
      return {
        title: t('The property `active` of a runner is replaced by `paused`.'),
        inV5: t('Endpoints accept and return `paused` instead of `active`.'),
        today: t('Use `paused`, which is the opposite: `paused` true means `active` false.'),
      };
    case 'runnerStatus':
      return {
        title: t('The status of a runner no longer says whether it is active or paused.'),
        inV5: t('The status only says whether the runner is in contact: `online`, `offline` or `not_connected`.'),
        today: t('Use the boolean `paused`: true means paused, false means active.'),
      };
    case 'runnerIpAddress':
      return {
        title: t('`ip_address` of a runner is an empty string.'),
        inV5: t('The field is removed.'),
        today: t('Do without it: there is no replacement.'),
      };
    case 'runnerVersion':
      return {
        title: t('`version`, `revision`, `platform` and `architecture` of a runner are empty strings.'),
        inV5: t('The fields are removed.'),
        today: t('Do without them: there is no replacement.'),
      };
    case 'defaultBranchProtection':
      return {
        title: t('`default_branch_protection` is replaced by `default_branch_protection_defaults`.'),
        inV5: t('The property is removed.'),
        today: t('Use `default_branch_protection_defaults`, which contains settings instead of a level.'),
      };
    case 'passwordToApprove':
      return {
        title: t('`require_password_to_approve` is replaced by `require_reauthentication_to_approve`.'),
        inV5: t('The property is removed.'),
        today: t('Use `require_reauthentication_to_approve`, which takes precedence when both are given.'),
      };
    case 'pullMirroring':
      return {
        title: t('Pull mirroring is no longer configured in the projects API.'),
        inV5: t('The properties are removed.'),
        today: t('Use the endpoint `/projects/:id/mirror/pull`.'),
      };
    case 'restrictedVariables':
      return {
        title: t('`restrict_user_defined_variables` is replaced by `ci_pipeline_variables_minimum_override_role`.'),
        inV5: t('The property is replaced.'),
        today: t('Use `ci_pipeline_variables_minimum_override_role`; `developer` means the same as false.'),
      };
    case 'importNamespace':
      return {
        title: t('The parameter `namespace` of project import and export is replaced by two.'),
        inV5: t('The parameter is removed.'),
        today: t('Use `namespace_id` for a numeric ID, `namespace_path` for a path.'),
      };
    case 'epics':
      return {
        title: t('The REST API for epics is replaced by work items, which GraphQL alone has.'),
        inV5: t('The endpoints are removed.'),
        today: t(
          'Use the `workItem` queries and mutations of the GraphQL API; epics are work items of the type `EPIC`.',
        ),
      };
    case 'approvalsBeforeMerge':
      return {
        title: t('`approvals_before_merge` is replaced by approval rules.'),
        inV5: t('The property is removed.'),
        today: t('Use the approval rules of the project or merge request, such as `/projects/:id/approval_rules`.'),
      };
    case 'groupWithProjects':
      return {
        title: t('The parameter `with_projects` of a group is no longer needed.'),
        inV5: t('The parameter is removed, and a group comes without its projects.'),
        today: t(
          'List the projects of the group: `/groups/:id/projects`. Until v5, `with_projects=false` still saves time.',
        ),
      };
    case 'groupProjects':
      return {
        title: t('`projects` and `shared_projects` of a group are replaced by endpoints of their own.'),
        inV5: t('Both fields are removed.'),
        today: t('List `/groups/:id/projects` and `/groups/:id/projects/shared`.'),
      };
    case 'markedForDeletion':
      return {
        title: t('`marked_for_deletion_at` of a project is replaced by `marked_for_deletion_on`.'),
        inV5: t('The field is removed.'),
        today: t('Read `marked_for_deletion_on`, which is the same date.'),
      };
    case 'projectTags':
      return {
        title: t('`tag_list` of a project is replaced by `topics`.'),
        inV5: t('The property is removed.'),
        today: t('Use `topics`. The `tag_list` of runners and jobs stays.'),
      };
  }
}

/** The release that a change is known from, as a sentence; undefined where the announcement names none. */
export function sinceOf({ since }: Pick<AnnouncedChange, 'since'>): string | undefined {
  return since === undefined ? undefined : vscode.l10n.t('Since release {0}.', since);
}

/** The entry of the catalogue, for a hover. Holds nothing but the catalogue's own text. */
export function entryOf(id: ChangeId, tier: Tier): vscode.MarkdownString {
  const { title, inV5, today } = textOf(id);
  const since = sinceOf(changeOf(id));
  const lines = [
    `**${title}**${since === undefined ? '' : ` ${since}`}`,
    vscode.l10n.t('**In v5:** {0}', inV5),
    vscode.l10n.t('**Today:** {0}', today),
    ...(tier === 'likely' ? [`_${likelihood(tier)}_`] : []),
    `[${vscode.l10n.t('Announcement')}](${changeOf(id).page})`,
  ];
  return new vscode.MarkdownString(lines.join('\n\n'));
}

/** The hint on a place that relies on a change. */
export function diagnosticOf(
  id: ChangeId,
  range: vscode.Range,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const { title, today } = textOf(id);
  const plain = (text: string): string => text.replaceAll('`', '');
  const message = vscode.l10n.t('API v5: {0} {1}', plain(title), plain(today));
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = hintSource;
  diagnostic.code = { value: changeOf(id).item, target: vscode.Uri.parse(changeOf(id).page, true) };
  diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
  return diagnostic;
}

/** What a tier means, in a sentence. */
export function likelihood(tier: Tier): string {
  const { t } = vscode.l10n;
  switch (tier) {
    case 'certain':
      return t('Certain: the call itself names API v4, or is one of a known client.');
    case 'likely':
      return t('Likely: names and the rest of the file say that this is about API v4, not the call itself.');
    case 'possible':
      return t(
        'Possible: the name alone, in a file that mentions GitLab. Such places are listed here and get no hint.',
      );
  }
}

/** What the recognizer cannot see, in a sentence. */
export function limits(): string {
  return vscode.l10n.t(
    'Not seen: values that come from another file, names that are put together at run time, data such as JSON, generated files, and what Git ignores.',
  );
}

/** The texts of a change without Markdown, for exports. */
export function plainTextsOf(id: ChangeId): { readonly title: string; readonly today: string } {
  const { title, today } = textOf(id);
  return { title: title.replaceAll('`', ''), today: today.replaceAll('`', '') };
}
