import { join, relative, sep } from 'node:path';
import type { BuildOptions } from 'esbuild';
import type * as undici from 'undici';
import { projectRoot } from './project.ts';

/**
 * The parts of undici that the bundle offers, by the module that each stands in. All of undici would be three times as much:
 * its main module also loads a `fetch`, WebSocket, mocks, caches and a second HTTP parser. The import of a part that is
 * missing here does not build.
 */
const parts = {
  Agent: 'dispatcher/agent',
  buildConnector: 'core/connect',
} satisfies Partial<Record<keyof typeof undici, string>>;

/** Takes the place of undici's main module. */
const mainModule = Object.entries(parts)
  .map(([name, path]) => `export { default as ${name} } from 'undici/lib/${path}.js';`)
  .join('\n');

/** Files of undici that are not bundled, with what takes their place. */
const leftOut = new Map([
  // One build of the parser is enough: undici takes the plain one, which runs everywhere, where this one cannot be loaded.
  ['llhttp/llhttp_simd-wasm.js', 'module.exports = undefined;'],
  // What reads bodies of `fetch`, of which undici loads its own when it is given one. The bodies here are text.
  ['web/fetch/body.js', 'module.exports = {};'],
  ['web/fetch/formdata.js', 'module.exports = {};'],
  ['web/webidl/index.js', 'module.exports = {};'],
]);

/** Options that bundle parts of undici for what imports `undici`. */
export const undiciBuild = {
  // What undici itself is bundled with for Node: it leaves out a parser that is an experiment.
  define: { esbuildDetection: '1' },
  plugins: [
    {
      name: 'undici-parts',
      setup(build) {
        build.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'undici-parts' }));
        build.onLoad({ filter: /.*/, namespace: 'undici-parts' }, () => ({
          contents: mainModule,
          resolveDir: projectRoot,
        }));
        // Parts that no one imports are left out.
        build.onResolve({ filter: /^undici\/lib\// }, ({ path }) => ({
          path: join(projectRoot, 'node_modules', path),
          sideEffects: false,
        }));
        const met = new Set<string>();
        build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]/ }, ({ path }) => {
          const file = relative(join(projectRoot, 'node_modules', 'undici', 'lib'), path).replaceAll(sep, '/');
          const contents = leftOut.get(file);
          if (contents === undefined) {
            return undefined;
          }
          met.add(file);
          return { contents };
        });
        // An update that moves one of them would bundle it, or leave out what is needed.
        build.onEnd(() => ({
          errors: [...leftOut.keys()]
            .filter((file) => !met.has(file))
            .map((file) => ({ text: `undici no longer loads lib/${file}, which scripts/undici.ts leaves out.` })),
        }));
      },
    },
  ],
} satisfies BuildOptions;
