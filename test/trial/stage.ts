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
  /** The output `ApiUrl`, which is the URL that the stage itself uses. */
  apiUrl: string;
  /** The output `ConsoleUrl`. */
  consoleUrl: string;
  /** The path of the link for the first operator. */
  operatorLink: string;
  /** A connection to the same API through a URL that every resolver knows. */
  connection: Connection;
  sdk: WorkOS;
  consumer: Consumer;
}
