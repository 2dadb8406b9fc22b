import { settings } from '../../../functions/kernel/settings.ts';
import { countRows } from '../../support/documents.ts';
import { call, service } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { CALLBACK } from './person.ts';

/** The number of rows of applications in the table, with those that find them at the root. */
export async function countApplicationRows(): Promise<number> {
  await environment();
  return countRows({
    TableName: settings().GATEHOUSE_TABLE,
    FilterExpression: 'contains(pk, :application) OR contains(pk, :client)',
    ExpressionAttributeValues: { ':application': '#connect-application#', ':client': '#connect-client#' },
  });
}

/** Registers clients, as many at once as a client of the service may have connections. @throws Error for a rejected one */
export async function registerMany(size: number, atOnce = 16): Promise<void> {
  const path = `/oauth2/${(await service()).clientId}/register`;
  const body = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  for (let at = 0; at < size; at += atOnce) {
    const wave = Array.from({ length: Math.min(atOnce, size - at) }, () => call('POST', path, body, { apiKey: null }));
    const statuses = (await Promise.all(wave)).map(({ status }) => status);
    if (statuses.some((status) => status !== 201)) throw new Error(`A registration was rejected: ${statuses.join()}`);
  }
}
