// Its functions change from call to call, which the React Compiler would not bear; this client is built without it.
export { useWindowVirtualizer as useRowsInWindow } from '@tanstack/react-virtual'
