import { current } from './editor/editor.ts';
import { TestWindow } from './testWindow.ts';

/** Lets the tests of a file use parts of the extension as code of a window does, which is opened for them. */
export function insideWindow(): { readonly window: TestWindow } {
  const holder: { window: TestWindow | undefined } = { window: undefined };
  before(async () => (holder.window = await TestWindow.open({ sandbox: false })));
  // What a hook enters without waiting holds for what comes after it.
  const enter = (): void => current.enterWith(holder.window?.within(() => current.getStore()) as never);
  before(enter);
  beforeEach(enter);
  after(() => holder.window?.dispose());
  return {
    get window() {
      return holder.window as TestWindow;
    },
  };
}
