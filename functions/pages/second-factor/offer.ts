import { environmentOf } from '../../kernel/authentication/environment.ts';
import { defaultIssuer, offerTotp } from '../../mfa/public.ts';
import type { FlowState } from '../flow/state.ts';
import type { Visit } from '../flow/visit.ts';

/** An authenticator app that is offered in a sign-in: kept in its sealed state, so that a reload shows the same picture. */
export interface Offer {
  issuer: string;
  secret: Uint8Array;
  base32: string;
  uri: string;
}

interface StoredOffer {
  issuer: string;
  /** Hexadecimal. */
  secret: string;
  base32: string;
  uri: string;
}

/** What is kept of a new offer to somebody who has to enrol. */
export async function newOffer(environmentId: string, email: string): Promise<StoredOffer> {
  const issuer = defaultIssuer(await environmentOf(environmentId));
  const { secret, base32, uri } = offerTotp({ issuer, label: email });
  return { issuer, secret: Buffer.from(secret).toString('hex'), base32, uri };
}

/** The offer of a visit's state; undefined where nobody has to enrol. */
export function offerIn({ state }: { state: FlowState } | Visit): Offer | undefined {
  const stored = state.pending?.members.offer as StoredOffer | undefined;
  return stored && { ...stored, secret: Buffer.from(stored.secret, 'hex') };
}
