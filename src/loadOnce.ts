/**
 * Lets parts of the program be loaded when they are first needed.
 *
 * @param load loads them and builds what is asked for.
 * @returns what gives the same to all who ask. After a failure the next one who asks lets it load again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return async () => {
    const current = (loaded ??= load());
    try {
      return await current;
    } catch (error) {
      if (loaded === current) {
        loaded = undefined;
      }
      throw error;
    }
  };
}
