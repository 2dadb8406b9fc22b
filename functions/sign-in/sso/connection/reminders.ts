import { DAY_MS } from '../../../kernel/durations.ts';
import type { SamlPart, StoredCertificate } from './entity.ts';

/** Days before the expiry of a certificate on which its renewal is requested; 0 is the day of the expiry. */
const STEPS = [90, 60, 30, 14, 7, 1, 0] as const;

/** The certificates in the contract's names for events. */
export type CertificateType = 'ResponseSigning' | 'RequestSigning' | 'ResponseEncryption';

/** The reminders of a connection that were sent, by the id of the certificate. */
export type Reminded = Readonly<Record<string, { type: CertificateType; days: number }>>;

/** A reminder that is due. */
export interface Reminder {
  type: CertificateType;
  certificate: StoredCertificate & { notAfter: string };
  /** The day on which it is sent, one of the list above. */
  step: number;
  /** Days until the expiry, rounded up; 0 if it has expired. */
  days: number;
  isExpired: boolean;
}

type Ending = Reminder['certificate'];

const isEnding = (certificate: StoredCertificate | undefined): certificate is Ending =>
  typeof certificate?.notAfter === 'string';

/**
 * The certificate that decides when a connection stops working: of several certificates of the identity provider, the one
 * that expires last.
 */
function findDecisive({ idpCertificates, spSigning, spEncryption }: SamlPart): [CertificateType, Ending][] {
  const isEndless = idpCertificates.some(({ notAfter }) => notAfter === null);
  const [longest] = idpCertificates
    .filter(isEnding)
    .toSorted((one, other) => Date.parse(other.notAfter) - Date.parse(one.notAfter));
  const found: [CertificateType, StoredCertificate | undefined][] = [
    ['ResponseSigning', isEndless ? undefined : longest],
    ['RequestSigning', spSigning],
    ['ResponseEncryption', spEncryption.at(-1)],
  ];
  return found.filter((pair): pair is [CertificateType, Ending] => isEnding(pair[1]));
}

/** Lists the reminders that are due and were not sent, at most one for each certificate: the most recent one. */
export function listReminders(saml: SamlPart, sent: Reminded, now: number): Reminder[] {
  return findDecisive(saml).flatMap(([type, certificate]) => {
    const left = Date.parse(certificate.notAfter) - now;
    const days = Math.max(0, Math.ceil(left / DAY_MS));
    const step = STEPS.findLast((one) => days <= one);
    const isSent = step === undefined || (sent[certificate.id]?.days ?? Infinity) <= step;
    return isSent ? [] : [{ type, certificate, step, days, isExpired: left <= 0 }];
  });
}

/** The sent reminders, with new ones, and without those of certificates that the connection no longer has. */
export function addReminders(saml: SamlPart, sent: Reminded, added: readonly Reminder[]): Reminded {
  const usedIds = new Set([...saml.idpCertificates, ...saml.spEncryption, saml.spSigning].map((one) => one?.id));
  const kept = Object.entries(sent).filter(([id]) => usedIds.has(id));
  return Object.fromEntries([
    ...kept,
    ...added.map(({ type, certificate, step }) => [certificate.id, { type, days: step }] as const),
  ]);
}

/** The time when the next of these certificates expires, in milliseconds since the epoch; undefined if all have expired. */
export function findNextEnd(saml: SamlPart, now: number): number | undefined {
  const ends = findDecisive(saml).map(([, { notAfter }]) => Date.parse(notAfter));
  const coming = ends.filter((end) => end > now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}
