/** The reads of SES, which the worker loads as a file of its own (`lib/stack/apart.ts`), since the other functions of its area need none. */
import {
  GetAccountCommand,
  type GetAccountResponse,
  GetEmailIdentityCommand,
  type GetEmailIdentityResponse,
  SESv2Client,
} from '@aws-sdk/client-sesv2';

import { clientOptions } from '../../../../kernel/aws-requests.ts';

/** Calls SES in a region with a client that is closed afterwards. */
async function withClient<T>(region: string, use: (client: SESv2Client) => Promise<T>): Promise<T> {
  const client = new SESv2Client({ region, ...clientOptions() });
  return use(client).finally(() => client.destroy());
}

/** Reads whether SES sends, and to which addresses. */
export const readAccount = (region: string): Promise<GetAccountResponse> =>
  withClient(region, (client) => client.send(new GetAccountCommand({})));

/** Reads an address or a domain that SES may know; undefined if it does not. */
export const readIdentity = (region: string, name: string): Promise<GetEmailIdentityResponse | undefined> =>
  withClient(region, async (client) => {
    try {
      return await client.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
    } catch (error) {
      if (error instanceof Error && error.name === 'NotFoundException') return undefined;
      throw error;
    }
  });
