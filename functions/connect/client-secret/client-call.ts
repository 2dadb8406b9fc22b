import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import type { ClientMembers } from './schema.ts';

/** A request of a client. */
export interface ClientCall {
  environmentId: string;
  request: Pick<IncomingRequest, 'headers'>;
  body: ClientMembers;
  unit: Pick<Unit, 'once'>;
  /** The application that the request names, if the caller has it: that of a document is not stored yet. */
  known?: ApplicationRecord | undefined;
}
