import type { Answer } from './transforms.ts';

const because = (reason: string) => [403, { message: `403 Forbidden - ${reason}` }] as const;
const unauthorized = (error: string, description: string) => [401, { error, error_description: description }] as const;

/** What the platform says where it refuses an account whatever its role is, or its token although it has not expired. */
const refusals = {
  blocked: because('Your account has been blocked.'),
  pendingApproval: because('Your account is pending approval from your administrator and hence blocked.'),
  deactivated: because(
    'Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at https://gitlab.example.com',
  ),
  terms: because(
    'You (@marta) must accept the Terms of Service in order to perform this action. To accept these terms, please access GitLab from a web browser at https://gitlab.example.com.',
  ),
  passwordExpired: because('Your password expired. Please access GitLab from a web browser to update your password.'),
  // The texts of these two are not documented.
  twoFactor: because('You must enable two-factor authentication in order to perform this action.'),
  ipAddress: because('Access from your IP address is not allowed.'),
  dpop: unauthorized('dpop_error', 'DPoP validation error: DPoP header is missing'),
  impersonation: unauthorized('invalid_token', 'Token is an impersonation token but impersonation was disabled.'),
  client: unauthorized('restricted_language_server_client_error', 'Requests of this client are not allowed.'),
};

type AccountRefusal = keyof typeof refusals;

export const accountRefusals = Object.keys(refusals) as AccountRefusal[];

/** Refuses each request of an account. */
export function refusing(as: AccountRefusal): Answer {
  const [status, body] = refusals[as];
  return (own, { req }) =>
    req.header('private-token') === undefined && req.header('authorization') === undefined
      ? own()
      : Response.json(body, { status });
}
