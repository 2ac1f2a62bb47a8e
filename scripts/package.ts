import { packageExtension } from './packaging.ts';

await packageExtension();
