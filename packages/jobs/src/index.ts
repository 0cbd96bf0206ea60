export { cancelJob, createJob, type NewJob } from './create.ts'
export { type Ended, type Item, type ItemState } from './items.ts'
export { countsOf, type Counts, itemsOf, type ItemView, jobOf, type JobView, openJobOf, recentJobs } from './read.ts'
export { JobRunner, type RunnerParts } from './runner.ts'
