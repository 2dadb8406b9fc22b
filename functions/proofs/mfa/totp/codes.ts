import { createGuardrails } from '@otplib/core';
import { NodeCryptoPlugin } from '@otplib/plugin-crypto-node';
import { verifySync } from '@otplib/totp';
import { generateTOTP } from '@otplib/uri';

/**
 * The parameters of RFC 6238 that every authenticator app assumes: HMAC-SHA-1, six digits, steps of 30 seconds from the
 * epoch.
 */
const STEP_SECONDS = 30;
const DIGITS = 6;

/**
 * Bytes of a secret. RFC 4226 section 4, R6 requires at least 16, and secrets made here have 20. Callers may import ten,
 * since imported secrets often have the 16 characters that older libraries made.
 */
export const SEED_BYTES = { least: 10, made: 20, most: 64 } as const;

const crypto = new NodeCryptoPlugin();
const guardrails = createGuardrails({ MIN_SECRET_BYTES: SEED_BYTES.least, MAX_SECRET_BYTES: SEED_BYTES.most });

/**
 * The time step of a code: the current one or, because clocks differ, the previous or next one (RFC 6238 section 5.2).
 * Undefined for a wrong code and for a code of a step up to `lastStep`, which was accepted before.
 * @param atSeconds since the Unix epoch
 */
export function acceptedStep(seed: Uint8Array, code: string, atSeconds: number, lastStep = -1): number | undefined {
  const latest = Math.floor(atSeconds / STEP_SECONDS) + 1;
  if (code.length !== DIGITS || !/^\d+$/.test(code) || lastStep >= latest) return undefined;
  const verified = verifySync({
    crypto,
    guardrails,
    secret: seed,
    token: code,
    epoch: atSeconds,
    epochTolerance: STEP_SECONDS,
    ...(lastStep < 0 ? {} : { afterTimeStep: lastStep }),
  });
  return verified.valid ? verified.timeStep : undefined;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes as Base32 without padding (RFC 4648 section 6), as authenticator apps display it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(parseInt(five.padEnd(5, '0'), 2))).join('');
}

/**
 * Decodes a Base32 text as users copy it: in either case, with spaces or dashes between groups, with or without padding.
 * Returns undefined for anything else, for a length that is not a number of whole bytes, and for unused bits that are not
 * zero (RFC 4648 section 3.5): a mistyped secret must not be accepted as another one.
 */
export function fromBase32(text: string): Uint8Array | undefined {
  const letters = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  if (!/^[A-Z2-7]*$/.test(letters)) return undefined;
  const bits = [...letters].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const rest = bits.length % 8;
  if (rest >= 5 || bits.slice(bits.length - rest).includes('1')) return undefined;
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2));
}

/** The label of a secret in an authenticator app. */
export interface Account {
  /** The issuer of the codes. */
  issuer: string;
  /** The account at the issuer: mostly an email address. */
  user: string;
}

/**
 * The `otpauth://` URI of a secret (Key URI Format), which a QR code encodes. Neither part of the label may contain a
 * colon, which separates them.
 */
export const keyUri = ({ issuer, user }: Account, seed: Uint8Array): string =>
  generateTOTP({ issuer, label: user, secret: toBase32(seed) });
