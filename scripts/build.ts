import { parseArgs } from 'node:util';
import { bundleExtension } from './bundle.ts';

const { values } = parseArgs({ options: { production: { type: 'boolean', default: false } } });
await bundleExtension(values.production ? 'production' : 'development');
