import { httpEntry } from '../kernel/http/entry.ts';
import { featureFlagsArea } from './area.ts';

export const http = httpEntry(featureFlagsArea);
