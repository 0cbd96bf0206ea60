// `npm run prove -- simulate`: the simulator of the pure account, or with --whole that of the whole server.
if (process.argv.includes('--whole')) await import('../simulation/main.ts')
else await import('../packages/core/test/simulate/main.ts')
