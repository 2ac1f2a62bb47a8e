import { HTTPException } from 'hono/http-exception';

/** An answer that ends the handling of a request wherever it is thrown. */
function refusal(status: 400 | 401 | 403 | 404, body: object): HTTPException {
  return new HTTPException(status, { res: Response.json(body, { status }) });
}

/** 400 for parameters. @param error such as `active is missing`. */
export function badParameters(error: string): HTTPException {
  return refusal(400, { error });
}

/** 400 for values that the platform's own rules refuse. @param message a sentence, or the sentences by field. */
export function badValue(message: string | Readonly<Record<string, readonly string[]>>): HTTPException {
  return refusal(400, { message });
}

/** 403 for a role that does not do. */
export function forbidden(): HTTPException {
  return refusal(403, { message: '403 Forbidden' });
}

/** 404 for what does not exist or is not to be seen. @param what such as `Project`; nothing for what has no name. */
export function notFound(what?: string): HTTPException {
  return refusal(404, { message: what === undefined ? '404 Not found' : `404 ${what} Not Found` });
}

/** Why an account is refused whatever its role is, or its token although it has not expired. */
export const accountRefusals = [
  'blocked',
  'pendingApproval',
  'deactivated',
  'terms',
  'passwordExpired',
  'twoFactor',
  'ipAddress',
  'dpop',
  'impersonation',
  'client',
] as const;

type AccountRefusal = (typeof accountRefusals)[number];

/** What such a refusal is answered with. @param url of the instance, which some sentences name. */
export function accountRefusal(as: AccountRefusal, url: string): HTTPException {
  const because = (reason: string) => refusal(403, { message: `403 Forbidden - ${reason}` });
  const unauthorized = (error: string, description: string) => refusal(401, { error, error_description: description });
  switch (as) {
    case 'blocked':
      return because('Your account has been blocked.');
    case 'pendingApproval':
      return because('Your account is pending approval from your administrator and hence blocked.');
    case 'deactivated':
      return because(
        `Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ${url}`,
      );
    case 'terms':
      return because(
        `You (@marta) must accept the Terms of Service in order to perform this action. To accept these terms, please access GitLab from a web browser at ${url}.`,
      );
    case 'passwordExpired':
      return because('Your password expired. Please access GitLab from a web browser to update your password.');
    // The words of these two are not documented.
    case 'twoFactor':
      return because('You must enable two-factor authentication in order to perform this action.');
    case 'ipAddress':
      return because('Access from your IP address is not allowed.');
    case 'dpop':
      return unauthorized('dpop_error', 'DPoP validation error: DPoP header is missing');
    case 'impersonation':
      return unauthorized('invalid_token', 'Token is an impersonation token but impersonation was disabled.');
    case 'client':
      return unauthorized('restricted_language_server_client_error', 'Requests of this client are not allowed.');
  }
}
