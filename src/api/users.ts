import * as z from 'zod/mini';

/** An account of the instance, on its own and as the author of what other records are about. */
export const userSchema = z.looseObject({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  state: z.nullish(z.string()),
  locked: z.optional(z.boolean()),
  avatar_url: z.nullish(z.string()),
  web_url: z.nullish(z.string()),
});

/** An account of the instance. */
export type UserRecord = z.infer<typeof userSchema>;
