import { listDirectoryStates } from '../../../../sign-in/directory-sync/public.ts';
import { proposals } from '../../../../kernel/approvals/entity.ts';
import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { operation } from '../../../../kernel/operation.ts';
import { wholeList } from '../../../../kernel/pagination.ts';
import { listSuppressions } from '../../../../outbound/messages/public.ts';
import { listConnectionValidity } from '../../../../sign-in/sso/public.ts';
import { findEndpointStates } from '../../../../outbound/webhooks/public.ts';
import { findExamination } from '../examination/entity.ts';
import {
  examineConnections,
  examineDirectories,
  examineEndpoints,
  examineEnvironment,
  examineProposals,
  examineStage,
  examineSuppressions,
  sortAttention,
  type StageExamination,
} from './rules.ts';
import { AttentionList, presentAttention } from './schema.ts';

/** Maximum number of connections, directories, suppressions and proposals that are read. */
const MOST = 100;
const MOST_SUPPRESSIONS = 10;
const MOST_PROPOSALS = 20;

export const listAttention = operation({
  id: 'environment.attention',
  method: 'GET',
  path: '/x/environment/attention',
  summary: 'List what needs attention in the environment',
  description:
    'Lists webhook endpoints that the service disabled or that fail, certificates and tokens that have expired or expire within 30 days, directories that no provider has called within a week of their creation, ' +
    'a missing contact address, addresses that were suppressed in the last week (at most ten), and proposals of an operator that another operator has not approved or declined yet (among the newest 20). Problems are listed first, then warnings, then notices. Operators also get what the daily examination and `npm run doctor -- --record` last found about the stage. The list is computed at the time of the call, and may lag ' +
    'behind changes for a moment.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: AttentionList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, caller }) {
    const [environment, endpoints, connections, directories, suppressed, proposed, examined] = await awaitAll([
      findEnvironment(environmentId),
      findEndpointStates(environmentId),
      listConnectionValidity(environmentId, MOST + 1),
      listDirectoryStates(environmentId, MOST + 1),
      listSuppressions(environmentId, { scan: 'desc', limit: MOST_SUPPRESSIONS }),
      proposals.list('byCreation', { environmentId }).take(MOST_PROPOSALS, 'desc'),
      // The account and the domain of a stage concern its operators, and no key of an environment.
      caller.operator === undefined ? undefined : findExamination(),
    ]);
    const now = clock.now();
    // An address is a person's, and this operation asks an operator only for config.read.
    const isNamed = caller.operator?.permissions.has('people.read') ?? true;
    const found = [
      ...examineEndpoints(endpoints),
      ...examineConnections(connections.slice(0, MOST), now),
      ...examineDirectories(directories.slice(0, MOST), now),
      ...examineSuppressions(suppressed.records, now, { isNamed }),
      ...examineProposals(proposed, now),
      ...examineStage(examined as StageExamination | undefined, now),
      ...examineEnvironment({ contactEmail: environment?.contactEmail }),
    ];
    const isComplete = connections.length <= MOST && directories.length <= MOST;
    return { status: 200, body: { ...wholeList(sortAttention(found).map(presentAttention)), is_complete: isComplete } };
  },
});

export const attentionOperations = [listAttention] as const;
