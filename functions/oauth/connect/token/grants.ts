import type { agentTokenEvents, exchangeEvents } from '../../agents/public.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { TokenRequest, TokenResponse } from './schema.ts';

/** A request to the token endpoint. */
export interface TokenCall {
  environmentId: string;
  body: TokenRequest;
  request: IncomingRequest;
  unit: Unit<(typeof agentTokenEvents)[number] | (typeof exchangeEvents)[number]>;
}

/** A grant type of the token endpoint, which authenticates the client, checks the request and makes the response. */
export type TokenGrant = (call: TokenCall) => Promise<TokenResponse>;
