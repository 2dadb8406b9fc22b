import type { Unit } from '../../../../kernel/storage/unit.ts';
import { type ConnectionSummary, organizationSso } from './entity.ts';

interface Connected {
  environmentId: string;
  organizationId: string;
  connectionId: string;
}

/**
 * Stages the summary of an organization's new connection.
 * @returns the number of connections after that
 */
export async function stageNewConnection(
  unit: Pick<Unit, 'stage'>,
  { environmentId, organizationId, connectionId }: Connected,
  summary: ConnectionSummary,
): Promise<number> {
  const former = await organizationSso.get(environmentId, organizationId);
  const connections = { ...(former?.connections as object | undefined), [connectionId]: summary };
  const { write } =
    former === undefined
      ? organizationSso.create({ environmentId, id: organizationId, connections })
      : organizationSso.revise(former, { connections });
  unit.stage(write);
  return Object.keys(connections).length;
}

/** Stages the changed summary of a connection, or its removal if the summary is undefined, without a read. */
export function stageConnectionSummary(
  unit: Pick<Unit, 'stage'>,
  { environmentId, organizationId, connectionId }: Connected,
  summary: ConnectionSummary | undefined,
): void {
  unit.stage(organizationSso.amend(environmentId, organizationId, 'connections', connectionId, summary));
}

/** Stages the removal of the row of a deleted organization. */
export function stageEndOfOrganizationSso(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  organizationId: string,
): void {
  unit.stage(organizationSso.removeByKey({ environmentId, id: organizationId }));
}
