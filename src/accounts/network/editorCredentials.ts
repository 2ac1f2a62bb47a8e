import { faultOf } from '../../api/faults.ts';
import type { Fetch, Transport } from '../../api/transport.ts';

/**
 * Sends by Beacon's own means until the proxy wants credentials that no setting holds. From then on the editor sends, who has
 * means to get them: Kerberos, or asking the person.
 */
export function withEditorCredentials(own: Transport, editor: Fetch): Fetch {
  let isEditorsTurn = false;
  return async (url, init) => {
    if (isEditorsTurn) {
      return editor(url, init);
    }
    try {
      const { method, headers, body, signal } = init;
      const answer = await own.send({ method, url: new URL(url), headers, body, signal });
      const get = (name: string): string | null => answer.header(name) ?? null;
      return { status: answer.status, headers: { get }, text: () => answer.text() };
    } catch (refusal) {
      if (!wantsCredentials(refusal)) {
        throw refusal;
      }
      // The instance has seen nothing yet, so that even a POST may be sent again.
      const answer = await editor(url, init).catch((error: unknown) => {
        throw wantsCredentials(error) ? refusal : error;
      });
      if (answer.status === 407) {
        throw refusal;
      }
      isEditorsTurn = true;
      return answer;
    }
  };
}

function wantsCredentials(error: unknown): boolean {
  const { kind, detail } = faultOf(error);
  return kind === 'proxy' && detail === '407';
}
