import type { Page } from 'playwright-core';
import { keepPictureOfFailure, runCommand, Workbench } from '../support/workbench.ts';

const program = `import gitlab

gl = gitlab.Gitlab("https://gitlab.example.com", private_token=token)
project = gl.projects.get("harbor/tide-table")
for request in project.mergerequests.list(iterator=True):
    print(request.title, request.merged_by)
`;

describe('hints on announced changes of the API', () => {
  let workbench: Workbench;
  let page: Page;

  before(async () => {
    workbench = await Workbench.start({ files: { 'report.py': program, 'notes.txt': 'merged_by of GitLab\n' } });
    page = await workbench.open();
  });
  after(() => workbench.stop());
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  it('are listed for the whole workspace', async () => {
    await runCommand(page, 'Beacon: Check Workspace for API v5 Hints');
    await page.getByRole('tab', { name: /API v5 Hints/ }).waitFor();
    // The editor draws a space as a no-break space.
    await page
      .locator('.editor-instance .view-line')
      .filter({ hasText: /report\.py:6/ })
      .first()
      .waitFor();
  });

  it('stand in a program without an account, and go with their fix', async () => {
    await page.keyboard.press('Control+p');
    const field = page.getByPlaceholder('Search files by name');
    await field.fill('report.py');
    await page.getByRole('option', { name: /report\.py/ }).waitFor();
    await field.press('Enter');
    await runCommand(page, 'Problems: Focus on Problems View');
    const problem = page.getByRole('treeitem', { name: /merged_by/ });
    // The editor goes to the place, and takes the focus.
    await problem.dblclick();
    await page.locator('.part.editor :focus').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+.');
    await page.getByRole('option', { name: /merge_user/ }).waitFor();
    await page.keyboard.press('Enter');
    await problem.waitFor({ state: 'hidden' });
    await page.locator('.editor-instance .view-line').filter({ hasText: 'request.merge_user' }).waitFor();
  });
});
