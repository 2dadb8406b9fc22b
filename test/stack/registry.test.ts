import { topology } from '../../lib/topology/index.ts';
import { describeParity } from './parity.ts';

describeParity('The service', topology);
