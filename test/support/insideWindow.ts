import { current } from './editor/editor.ts';
import { TestWindow } from './testWindow.ts';

/**
 * Lets the tests of a file use parts of the extension as code of a window does, which is opened for them.
 *
 * @param file its path: hooks outside of any suite would hold for the tests of all files.
 */
export function insideWindow(file: string): { readonly window: TestWindow } {
  let window: TestWindow | undefined;
  beforeEach(async function open() {
    window ??= this.currentTest?.file === file ? await TestWindow.open({ sandbox: false }) : undefined;
  });
  // What a hook enters without waiting holds for what comes after it.
  beforeEach(function enter() {
    if (this.currentTest?.file === file) {
      current.enterWith(window?.within(() => current.getStore()) as never);
    }
  });
  after(() => window?.dispose());
  return {
    get window() {
      return window as TestWindow;
    },
  };
}
