/** Input that a tool cannot take. The message tells the model what is wrong with it. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}
