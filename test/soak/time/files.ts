import * as fs from 'node:fs/promises';

export * from 'node:fs/promises';

/** How many operations on files are under way: they take time of the machine, and none of the day. */
export const files = { pending: 0 };

function counted<F extends (...parameters: never[]) => Promise<unknown>>(operation: F): F {
  const count = async (...parameters: never[]): Promise<unknown> => {
    files.pending += 1;
    return await operation(...parameters).finally(() => (files.pending -= 1));
  };
  return count as F;
}

export const mkdir = counted(fs.mkdir);
export const readdir = counted(fs.readdir);
export const readFile = counted(fs.readFile);
export const rename = counted(fs.rename);
export const rm = counted(fs.rm);
export const stat = counted(fs.stat);
export const utimes = counted(fs.utimes);
export const writeFile = counted(fs.writeFile);
