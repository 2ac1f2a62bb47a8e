/** The editor's secret store could not be read or written, such as when the keyring of the system is locked or missing. */
export class SecretStoreError extends Error {
  override readonly name = 'SecretStoreError';
  readonly operation: 'read' | 'write';

  constructor(operation: 'read' | 'write', cause: unknown) {
    super(`The secret store cannot be ${operation === 'read' ? 'read' : 'written'}`, { cause });
    this.operation = operation;
  }
}

/** Reads or writes secrets. @throws SecretStoreError if the editor's secret store fails. */
export async function accessSecrets<T>(operation: 'read' | 'write', run: () => PromiseLike<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new SecretStoreError(operation, error);
  }
}
