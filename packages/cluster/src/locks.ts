/** First number of the advisory locks that say which workers are there (any number, ours); the second is the worker's. */
export const WORKER_LOCKS = 4_218_018
