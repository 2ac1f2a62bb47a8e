// Lets plain Node resolve the name `vscode`, which the editor gives its extensions, to the stand-in of this folder.
import { registerHooks } from 'node:module';

const standIn = new URL('./vscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
