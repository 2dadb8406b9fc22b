import { type DeclaredError, Failure, orFail } from '../../../kernel/errors.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { type ConnectionRecord, connections, type SamlPart } from '../connection/entity.ts';
import { connectionNotFound, notSaml } from '../connection/errors.ts';
import { type Renewal, renewalEvent, stageRenewal } from '../connection/renewal.ts';
import { samlIn } from '../connection/rules.ts';
import { type ConnectionSecrets, openConnection, sealConnection } from '../connection/secrets.ts';
import { passageEvents, stageConnectionChange, switchedOn } from '../connection/stage.ts';

/** The events of a change of certificates. */
export const certificateEvents = [...passageEvents, renewalEvent] as const;

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
  const record = await orFail(connections.get(environmentId, id), () => new Failure(connectionNotFound));
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
  renewed?: Renewal | undefined;
}

/** Stages a change of certificates. New ones can make an expired connection active again, with its event. */
export async function stageCertificates(
  unit: Pick<Unit<(typeof certificateEvents)[number]>, 'stage' | 'emit'>,
  { record }: SamlConnection,
  { saml, secrets, renewed }: CertificateChange,
): Promise<ConnectionRecord> {
  const organization = await findOrganization(record.environmentId, record.organizationId);
  const isOn = record.state === 'active' || record.hasLapsed === true;
  const changes = {
    saml,
    ...(secrets === undefined ? {} : { sealed: await sealConnection(record, secrets(await openConnection(record))) }),
    ...(isOn ? switchedOn({ ...record, saml }) : {}),
    ...(renewed === undefined ? {} : { reminded: stageRenewal(unit, record, renewed) }),
  };
  return stageConnectionChange(unit, record, changes, organization);
}
