import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { defaultIssuer, makeRecoveryCodes, offerTotp } from '../../../proofs/mfa/public.ts';
import type { FlowState, StoredOffer } from '../flow/state.ts';
import type { Visit } from '../flow/visit.ts';

/**
 * A new authenticator app that a sign-in offers. It is stored in the encrypted state of the sign-in, so that a reload shows
 * the same QR code.
 */
export interface Offer {
  issuer: string;
  secret: Uint8Array;
  base32: string;
  uri: string;
  /** The recovery codes that become valid with the app; none in sign-ins that older code started. */
  recoveryCodes?: readonly string[] | undefined;
}

/** The stored part of a new offer, for a user who must or may enroll. */
export async function newOffer(environmentId: string, email: string): Promise<StoredOffer> {
  const issuer = defaultIssuer(await findEnvironment(environmentId));
  const { secret, base32, uri } = offerTotp({ issuer, label: email });
  return { issuer, secret: Buffer.from(secret).toString('hex'), base32, uri, recoveryCodes: makeRecoveryCodes() };
}

/** The offer in a visit's state: of a required app, or of one that the user may skip. Undefined if there is none. */
export function offerIn({ state }: { state: FlowState } | Visit): Offer | undefined {
  const stored = (state.pending?.members.offer as StoredOffer | undefined) ?? state.factorOffer;
  return stored && { ...stored, secret: Buffer.from(stored.secret, 'hex') };
}
