import * as z from 'zod/mini';
import { isUsername } from './grammar.ts';
import { field } from './records.ts';

const profile = {
  name: field.requiredText(255),
  state: field.text(100),
  locked: field.flag(),
  avatar_url: field.address(),
  web_url: field.address(),
};

/** An account of the instance. Without a username it is none: requests and links name it by that. */
export const userSchema = z.looseObject({
  id: field.requiredId(),
  username: z.string().check(z.refine(isUsername)),
  ...profile,
});

/** An account as the author of what other records are about, which is there even if its username is none. */
export const authorSchema = z.looseObject({ id: field.requiredId(), username: field.username(), ...profile });

/** An account of the instance. */
export type UserRecord = z.infer<typeof userSchema>;
