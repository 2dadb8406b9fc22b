import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';
import { serverSecret } from '../../../kernel/keys/server-secret.ts';

/** Only the console's function may decrypt this secret (need `console-key`), so that a copy of the table and a cookie do not give a grant. */
const derive = serverSecret('console-secret', keyPurpose('console-grants'));

/** A secret that follows from a text and the secret of the console. */
export const deriveSecret = async (text: string): Promise<string> =>
  Buffer.from(await derive(OPERATORS_ENVIRONMENT_ID, text)).toString('base64url');

/** The secret of a session's grants, which follows from its cookie and the secret of the console. */
export const grantSecret = deriveSecret;
