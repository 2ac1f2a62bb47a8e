import * as vscode from 'vscode';

/**
 * The functions of Node that keep files, over `vscode.workspace.fs`. A path is the text of a URI. What the editor keeps in a browser has
 * no time of its own, so that each file begins with a line that says when it was changed, in milliseconds since 1970.
 */

const { fs } = vscode.workspace;
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

export function pathOf(folder: vscode.Uri): string {
  return folder.toString();
}

export function join(folder: string, ...names: readonly string[]): string {
  return [folder, ...names].join('/');
}

function uriOf(path: string): vscode.Uri {
  return vscode.Uri.parse(path, true);
}

async function read(path: string): Promise<{ readonly time: number; readonly text: string }> {
  const content = decoder.decode(await asNode(fs.readFile(uriOf(path))));
  const end = content.indexOf('\n');
  return { time: Number(content.slice(0, end)) || 0, text: content.slice(end + 1) };
}

async function write(path: string, time: number, text: string): Promise<void> {
  await asNode(fs.writeFile(uriOf(path), encoder.encode(`${time}\n${text}`)));
}

/** Gives errors the codes by which Node's are known. */
async function asNode<T>(done: Thenable<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    throw isMissing ? Object.assign(new Error('There is no such file', { cause: error }), { code: 'ENOENT' }) : error;
  }
}

export async function mkdir(path: string, _options?: { readonly recursive?: boolean }): Promise<void> {
  await asNode(fs.createDirectory(uriOf(path)));
}

export async function readdir(path: string): Promise<string[]> {
  return (await asNode(fs.readDirectory(uriOf(path)))).map(([name]) => name);
}

export async function readFile(path: string, _encoding: 'utf8'): Promise<string> {
  return (await read(path)).text;
}

export async function writeFile(path: string, text: string, _options?: { readonly mode?: number }): Promise<void> {
  await write(path, Date.now(), text);
}

export async function rename(from: string, to: string): Promise<void> {
  await asNode(fs.rename(uriOf(from), uriOf(to), { overwrite: true }));
}

export async function rm(path: string, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
  try {
    await asNode(fs.delete(uriOf(path), { useTrash: false }));
  } catch (error) {
    if (!force || (error as { readonly code?: unknown }).code !== 'ENOENT') {
      throw error;
    }
  }
}

export async function stat(
  path: string,
): Promise<{ readonly size: number; readonly mtime: Date; readonly mtimeMs: number }> {
  const { time, text } = await read(path);
  return { size: text.length, mtime: new Date(time), mtimeMs: time };
}

export async function utimes(path: string, _read: Date, written: Date): Promise<void> {
  await write(path, written.getTime(), (await read(path)).text);
}
