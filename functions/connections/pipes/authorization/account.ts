import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import { log } from '../../../kernel/log.ts';
import { expandAddress } from '../catalogue/definition.ts';
import { MissingConfig } from '../catalogue/template.ts';
import { valueAt } from '../oauth/token-response.ts';
import type { TokenSet } from '../oauth/token-endpoint.ts';
import type { AuthorizationContext } from './request.ts';
import type { AccountIdentity } from './token.ts';
import { cutText } from '../../../kernel/text.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;

/**
 * Reads from the provider which account the tokens belong to, as the catalogue describes it. If the provider does not
 * respond, the connected account is created without the account's name.
 */
export async function identifyAccount(
  context: AuthorizationContext,
  tokens: TokenSet,
  callback: Readonly<Record<string, string>>,
): Promise<AccountIdentity> {
  const { account } = context.definition;
  if (account === undefined) return {};
  if (account.from === 'callback') {
    const identifier = callback[account.identifier];
    return named(identifier === undefined ? undefined : cutText(identifier, 0, 500));
  }
  if (account.from === 'config') return named(context.values[account.identifier]);
  const source = account.from === 'token' ? tokens.metadata : await readAccountResponse(context, tokens.accessToken);
  const identifier = valueAt(source, account.identifier);
  const displayName = account.displayName === undefined ? undefined : valueAt(source, account.displayName);
  return { accountIdentifier: identifier, accountDisplayName: displayName };
}

const named = (value: string | undefined): AccountIdentity =>
  value === undefined ? {} : { accountIdentifier: value, accountDisplayName: value };

async function readAccountResponse(
  { definition, values }: AuthorizationContext,
  accessToken: string,
): Promise<unknown> {
  const { account } = definition;
  if (account?.from !== 'request') return undefined;
  const { url, method = 'GET', scheme = 'Bearer', headers = {}, body } = account;
  try {
    const response = await egress().send({
      method,
      url: expandAddress(definition, url, values),
      headers: {
        accept: 'application/json',
        'user-agent': 'Gatehouse',
        ...headers,
        authorization: `${scheme} ${accessToken}`,
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    return response.status < 300 ? (JSON.parse(Buffer.from(response.body).toString('utf8')) as unknown) : undefined;
  } catch (error) {
    if (!(error instanceof EgressError || error instanceof SyntaxError || error instanceof MissingConfig)) throw error;
    log.warn('the account of a connection could not be read', { error, provider: definition.slug });
    return undefined;
  }
}
