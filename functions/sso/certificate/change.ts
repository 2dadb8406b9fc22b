import { type DeclaredError, Failure } from '../../kernel/errors.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { clock } from '../../kernel/clock.ts';
import { findOrganization } from '../../organizations/public.ts';
import { type ConnectionRecord, connections, type SamlPart, type StoredCertificate } from '../connection/entity.ts';
import { connectionNotFound, notSaml } from '../connection/errors.ts';
import type { CertificateType, Reminded } from '../connection/reminders.ts';
import { samlIn } from '../connection/rules.ts';
import { type ConnectionSecrets, openConnection, sealConnection } from '../connection/secrets.ts';
import { passageEvents, stageConnectionChange, switchedOn } from '../connection/stage.ts';

/** The events of a change of certificates. */
export const certificateEvents = [...passageEvents, 'connection.saml_certificate_renewed'] as const;

/** A SAML connection with its parts. */
export interface SamlConnection {
  record: ConnectionRecord;
  saml: SamlPart;
}

/**
 * Finds a SAML connection, by one GetItem.
 * @throws Failure 404, or `connection_is_not_saml`
 */
export async function samlConnection(
  environmentId: string,
  id: string,
  other: DeclaredError = notSaml,
): Promise<SamlConnection> {
  const record = await connections.get(environmentId, id);
  if (record === undefined) throw new Failure(connectionNotFound);
  const saml = samlIn(record);
  if (saml === undefined || record.state === 'deleting')
    throw new Failure(saml === undefined ? other : connectionNotFound);
  return { record, saml };
}

/** A change of the certificates of a connection. */
export interface CertificateChange {
  saml: SamlPart;
  /** Makes the secrets of the connection from the former ones; absent if no key changes. */
  secrets?: (former: ConnectionSecrets) => ConnectionSecrets;
  /** The new certificate, if it replaces one whose renewal was requested by an event. */
  renewed?: { type: CertificateType; certificate: StoredCertificate } | undefined;
}

/** Stages a change of certificates. New ones can make an expired connection active again, with its event. */
export async function stageCertificates(
  unit: Pick<Unit<(typeof certificateEvents)[number]>, 'stage' | 'emit'>,
  { record }: SamlConnection,
  { saml, secrets, renewed }: CertificateChange,
): Promise<ConnectionRecord> {
  const { environmentId, organizationId } = record;
  const organization = await findOrganization(environmentId, organizationId);
  const isOn = record.state === 'active' || record.hasLapsed === true;
  const changes = {
    saml,
    ...(secrets === undefined ? {} : { sealed: await sealConnection(record, secrets(await openConnection(record))) }),
    ...(isOn ? switchedOn({ ...record, saml }) : {}),
    // A renewal is reported once for each request to renew.
    ...(renewed === undefined ? {} : { reminded: remindersWithout(record, renewed.type) }),
  };
  const changed = stageConnectionChange(unit, record, changes, organization);
  if (renewed !== undefined && wasReminded(record, renewed.type)) {
    const { type: certificate_type, certificate } = renewed;
    const data = {
      connection: { id: record.id, organization_id: organizationId },
      certificate: { certificate_type, expiry_date: certificate.notAfter ?? '' },
      renewed_at: clock.timestamp(),
    };
    unit.emit('connection.saml_certificate_renewed', data, { organizationId });
  }
  return changed;
}

/** Reports whether a renewal of a certificate of this type was requested. */
const wasReminded = ({ reminded }: ConnectionRecord, type: CertificateType): boolean =>
  Object.values((reminded ?? {}) as Reminded).some((one) => one.type === type);

const remindersWithout = ({ reminded }: ConnectionRecord, type: CertificateType): Reminded =>
  Object.fromEntries(Object.entries((reminded ?? {}) as Reminded).filter(([, one]) => one.type !== type));
