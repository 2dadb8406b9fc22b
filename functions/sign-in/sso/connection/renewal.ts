import { clock } from '../../../kernel/clock.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { ConnectionRecord, SamlPart, StoredCertificate } from './entity.ts';
import type { CertificateType, Reminded } from './reminders.ts';
import { samlIn } from './rules.ts';

/** The event of a renewed certificate. */
export const renewalEvent = 'connection.saml_certificate_renewed';

/** A new certificate with its use. */
export interface Renewal {
  type: CertificateType;
  certificate: StoredCertificate;
}

/** The certificate of the identity provider that changed SAML options add; undefined if they add none. */
export function findRenewal(former: ConnectionRecord, saml: SamlPart | undefined): Renewal | undefined {
  const known = new Set(samlIn(former)?.idpCertificates.map(({ id }) => id));
  const certificate = saml?.idpCertificates.find(({ id }) => !known.has(id));
  return certificate && { type: 'ResponseSigning', certificate };
}

/**
 * Emits the event of a renewal if the renewal of a certificate of this type was requested: once for each request.
 * @returns the reminders that were sent, without those of this type
 */
export function stageRenewal(
  unit: Pick<Unit<typeof renewalEvent>, 'emit'>,
  { id, organizationId, reminded }: ConnectionRecord,
  renewal: Renewal | undefined,
): Reminded {
  const sent = Object.entries((reminded ?? {}) as Reminded);
  const left = sent.filter(([, { type }]) => type !== renewal?.type);
  if (renewal !== undefined && left.length < sent.length) {
    const { type: certificate_type, certificate } = renewal;
    const data = {
      connection: { id, organization_id: organizationId },
      certificate: { certificate_type, expiry_date: certificate.notAfter ?? '' },
      renewed_at: clock.timestamp(),
    };
    unit.emit(renewalEvent, data, { organizationId });
  }
  return Object.fromEntries(left);
}
