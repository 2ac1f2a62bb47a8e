import { packageExtension, packagedExtension } from './packaging.ts';

await packageExtension({ packagePath: packagedExtension });
