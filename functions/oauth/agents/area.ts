import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { claimOperations } from './claim/operations.ts';
import { linkOperations } from './claim/link-operations.ts';
import { blueprintOperations } from './blueprint/operations.ts';
import { instanceOperations } from './instance/operations.ts';
import { exchangeOperations } from './grant/operations.ts';
import { guideOperations } from './registration/guide-operations.ts';
import { identityOperations } from './registration/identity-operations.ts';
import { registrationOperations } from './registration/operations.ts';
import { sessionOperations } from './session/operations.ts';
import { agentSettings } from '../../sign-in/modules/authorization-server/public.ts';
import { stopOperations } from './stop/operations.ts';
import { tokenOperations } from './token/operations.ts';
import { sessionsEnd } from './work/end.ts';
import { ENDING_EVENTS } from './work/react.ts';

export const agentsArea = area({
  name: 'agents',
  group: 'oauth',
  summary: 'Identities of agents: blueprints, their instances and sessions, and the tokens that agents act with',
  errorForm: messages,
  needs: ['table', 'keys', 'signing-key', 'connect-signing-key', 'egress', 'base-url'],
  operations: [
    ...blueprintOperations,
    ...tokenOperations,
    ...instanceOperations,
    ...sessionOperations,
    ...stopOperations,
    ...registrationOperations,
    ...identityOperations,
    ...guideOperations,
    ...claimOperations,
    ...linkOperations,
    ...exchangeOperations,
    ...settingsOperations(agentSettings, {
      id: 'agents',
      path: '/x/agents/settings',
      subject: 'agents',
      description:
        'A lower `max_chain_depth` applies to sessions that are delegated afterwards. Disabling a kind of registration does not revoke existing registrations.',
    }),
  ],
  workers: [
    {
      name: 'work',
      summary: 'Ends the sessions of agents below what has ended, each with its event',
      on: onWork(sessionsEnd),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
    {
      name: 'react',
      summary: 'Ends what users had delegated whose session was revoked or whose membership ended',
      on: { kind: 'events', events: ENDING_EVENTS },
      needs: ['table'],
    },
    {
      name: 'expire',
      summary: 'Marks registrations of agents that have expired, each with its event, and removes them a week later',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs: ['table', 'key-table'],
      timeoutSeconds: 120,
    },
  ],
});
