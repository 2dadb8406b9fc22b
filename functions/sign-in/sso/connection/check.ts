import { isDeepStrictEqual } from 'node:util';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { log } from '../../../kernel/log.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { type ConnectionRecord, connections, dueConnections, type SamlPart } from './entity.ts';
import { fetchMetadata, type IdpPart } from './metadata.ts';
import { addReminders, findNextEnd, listReminders, type Reminded, type Reminder } from './reminders.ts';
import { findRenewal, stageRenewal } from './renewal.ts';
import { samlIn } from './rules.ts';
import { nextCheck, stageConnectionChange, switchedOn } from './stage.ts';
import { merged } from './update-operations.ts';

const BATCH = 50;

type CheckUnit = Unit<
  | 'connection.activated'
  | 'connection.deactivated'
  | 'connection.saml_certificate_renewal_required'
  | 'connection.saml_certificate_renewed'
>;

/**
 * Checks the connections that are due, each once a day and when a certificate expires: reads their metadata, requests
 * renewals of certificates, and deactivates connections without an unexpired certificate.
 */
export async function checkConnections(): Promise<void> {
  for (const due of await dueConnections(BATCH)) await checkConnection(due);
}

async function checkConnection({ environmentId, id }: ConnectionRecord): Promise<void> {
  const record = await connections.get(environmentId, id);
  if (record === undefined) return;
  const read = record.state === 'deleting' ? undefined : await readAgain(record);
  await applyWork(environmentId, systemActor, async (unit: CheckUnit) => {
    const current = await connections.get(environmentId, id);
    if (current?.dueAt === undefined || current.state === 'deleting') return;
    const saml = samlIn(current);
    // The options may have been changed while the metadata was read.
    const isCurrent = saml !== undefined && isDeepStrictEqual(saml, samlIn(record));
    const next = saml === undefined || read === undefined || !isCurrent ? saml : withMetadata(saml, read);
    await stageCheck(unit, current, next);
  });
}

/**
 * Reads the metadata of a connection again. Undefined if it has no URL, is unchanged, or cannot be used (another entity id, a
 * document type definition, plain http, an error of the server); then the last valid metadata is kept.
 */
async function readAgain(record: ConnectionRecord): Promise<IdpPart | undefined> {
  const saml = samlIn(record);
  if (saml?.idpMetadataUrl === undefined) return undefined;
  try {
    return await fetchMetadata(saml.idpMetadataUrl, saml);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log.warn('the metadata of a connection was not taken over', { connection_id: record.id, reason: error.message });
    return undefined;
  }
}

const withMetadata = (saml: SamlPart, read: IdpPart): SamlPart => ({
  ...saml,
  ...read,
  idpCertificates: merged(saml, read.idpCertificates),
});

/** The time of the next check: in a day, or at the end of a certificate. */
function computeNextCheck(id: string, saml: SamlPart | undefined): { dueShard: string; dueAt: string } {
  const daily = nextCheck(id);
  const end = saml && findNextEnd(saml, clock.now());
  return end !== undefined && end < Date.parse(daily.dueAt) ? dueOn(id, end) : daily;
}

/** Stages the result of a check. Drafts and disabled connections emit no event. */
async function stageCheck(unit: CheckUnit, former: ConnectionRecord, saml: SamlPart | undefined): Promise<void> {
  const { organizationId, id } = former;
  const isOn = former.state === 'active' || former.hasLapsed === true;
  const due = computeNextCheck(id, saml);
  if (saml === undefined) return unit.stage(connections.revise(former, due, former.updatedAt).write);
  const sent = (former.reminded ?? {}) as Reminded;
  const reminders = isOn ? listReminders(saml, sent, clock.now()) : [];
  const left = stageRenewal(unit, former, isOn ? findRenewal(former, saml) : undefined);
  const changes = {
    ...due,
    saml,
    reminded: addReminders(saml, left, reminders),
    ...(isOn ? switchedOn({ ...former, saml }) : { state: former.state }),
  };
  // A check that finds no change does not update the connection.
  const isSame = isDeepStrictEqual(saml, former.saml) && changes.state === former.state;
  const organization = await findOrganization(former.environmentId, organizationId);
  stageConnectionChange(unit, former, changes, organization, isSame ? former.updatedAt : undefined);
  const connection = { id, organization_id: organizationId };
  for (const reminder of reminders) {
    unit.emit('connection.saml_certificate_renewal_required', requestRenewal(connection, reminder), { organizationId });
  }
}

const requestRenewal = (
  connection: { id: string; organization_id: string },
  { type, certificate, days, isExpired }: Reminder,
) => ({
  connection,
  certificate: { certificate_type: type, expiry_date: certificate.notAfter, is_expired: isExpired },
  days_until_expiry: days,
});
