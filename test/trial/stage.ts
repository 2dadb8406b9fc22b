import type { WorkOS } from '@workos-inc/node';

import type { Connection } from '../support/connection.ts';
import type { Consumer } from '../support/webhook-consumer.ts';
import type { Aws } from './aws.ts';

/** A deployed stage and a client of it. */
export interface DeployedStage {
  aws: Aws;
  stage: string;
  environmentId: string;
  clientId: string;
  apiKey: string;
  /** The output `ApiUrl`: where the stage itself believes to be. */
  apiUrl: string;
  /** The same over an address that every resolver knows. */
  connection: Connection;
  sdk: WorkOS;
  consumer: Consumer;
}
