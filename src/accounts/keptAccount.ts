import * as z from 'zod/mini';
import { catch as instead } from 'zod/mini';
import { normalizeInstanceUrl } from '../common/instanceUrl.ts';

/** A field that is left out where it is odd. */
const lenient = <T extends z.core.$ZodType>(schema: T) => instead(z.optional(schema), undefined);

/**
 * Where the token of an account comes from: an authorization of Beacon itself (OAuth), which makes a new one every two hours; or
 * who lends it, which is another extension that is signed in there, or the GitLab CLI by its configuration file.
 */
const tokenSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('oauth') }),
  z.object({ kind: z.literal('session'), accountId: z.string(), label: z.string() }),
  z.object({ kind: z.literal('cli') }),
]);

export type TokenSource = Readonly<z.infer<typeof tokenSourceSchema>>;

/** A user of an instance whom this editor is signed in as. Holds no secret. */
export const accountSchema = z.object({
  kind: z.literal('instance'),
  /** The readable, unique name of the account: `ada@gitlab.com`. Does not change with a new token. */
  id: z.string(),
  instanceUrl: z.string().check(z.refine((url) => normalizeInstanceUrl(url) === url)),
  /** The number of the user on the instance. Names may change, and go to others. */
  userId: z.int(),
  username: z.string(),
  /** The scopes of the token; undefined if the instance does not say, as with tokens that are not personal or are fine-grained. */
  scopes: lenient(z.readonly(z.array(z.string()).check(z.refine((scopes) => !scopes.includes('granular'))))),
  /** The day from which the token is no longer accepted, such as `2026-12-31`; undefined if none is known. */
  expiresAt: lenient(z.string()),
  /** Where the token is to be had at each use, if it is not one that stays the same until it expires. */
  tokenSource: z.optional(tokenSourceSchema),
  /** Whether the token travels as `Authorization: Bearer`. */
  bearer: lenient(z.boolean()),
  /** When the token was stored, in milliseconds since 1970: distinguishes it from the previous one. */
  tokenStoredAt: z.number(),
});

export type InstanceAccount = Readonly<z.infer<typeof accountSchema>>;

/** What makes the next access token of an account that was authorized by OAuth. It is as secret as a token. */
const grantSchema = z.object({
  applicationId: z.string(),
  /** Valid once; undefined if there is none or it is no longer accepted: then the user signs in again. */
  refreshToken: lenient(z.string()),
  /** When the access token expires, in milliseconds since 1970; undefined if it does not. */
  expiresAt: lenient(z.number()),
});

export type Grant = Readonly<z.infer<typeof grantSchema>>;

/** What an entry of the secret store holds, as JSON. */
export const entrySchema = z.object({ account: accountSchema, token: z.string(), grant: lenient(grantSchema) });

export type Entry = Readonly<z.infer<typeof entrySchema>>;
