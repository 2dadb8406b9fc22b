import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import type { ClientMembers } from './schema.ts';

/** A request that a client sends to the OAuth endpoints. */
export interface ClientCall {
  environmentId: string;
  request: Pick<IncomingRequest, 'headers'>;
  body: ClientMembers;
  unit: Pick<Unit, 'once'>;
  /**
   * Returns the application that the request names, if the caller has read it. An application with a metadata document may
   * not be stored yet.
   */
  known?: ApplicationRecord | undefined;
}
