/*
 * Two workers, one account, and a lot of which the broker must never take two orders. Checked by `npm run model` for every order
 * in which the steps below can happen. What they stand for: decisions 018 (last look, waiting time), 040 (epoch), 041 (leases).
 *
 * A step is one `atomic`. Between two of them anything else may happen for as long as it likes, so that a process which stands
 * still, at any place, is one whose next step comes late: it needs no words here. Time is counted in ticks, where it matters.
 *
 * -DNO_EPOCH, -DNO_DEADLINE, -DNO_WAIT: one promise is left out. -DOLD_…: a rule as it was before this model found fault with it.
 * -DCALM=N: from some point on nothing stands still or goes wrong any more; the lot must be decided within N ticks.
 */

/* A worker's row counts for LEASE ticks from its renewal; the worker itself sends for HELD of them. */
#define LEASE 2
#define HELD 1
/* The kernel under a dead or frozen process tries for so long to bring an order's bytes to the broker. */
#define LATE 3
/* An order is listed one tick after the broker took it. Nothing else is waited for where the connection was reset. */
#define OWN 1
/* A worker whose session was cut may send until its HELD is over; then come the kernel and the list. */
#define INHERITED (HELD + LATE + OWN)

#ifndef TAKEOVERS
#define TAKEOVERS 2
#endif
#ifndef FAULTS
#define FAULTS 1
#endif

#define OTHER (1 - me)
#define NOBODY 2

/* What the tables say of two orders for the lot; the second one is for when the first turns out never to have left. */
mtype:status = { unused, intended, unknown, absent, placed }
mtype:phase = { away, joined, loading, ready, committing, sending, waiting }

/* The tables. `owner`: NOBODY also where the owner's row was found dead and is gone. */
byte epoch;
byte owner = NOBODY;
bool isReleased = true;
mtype:status status[2] = unused;
/* Ticks since the order without a verdict was lost sight of, and whether OWN of them are enough. */
byte since;
bool isShort;
byte until[2] = LEASE;
bool isCut[2], isBuried[2];

/* For how long an order's bytes may still arrive, whose open connection they are on, and what the broker has. */
byte life[2];
byte sender[2] = NOBODY;
bool isTaken[2], isListed[2];

/* What each worker has in memory. `isStale`: the account's row has another number than the one it knows. */
mtype:phase phase[2] = joined;
byte held[2] = HELD;
byte asked[2];
bool isAsking[2];
byte mine[2];
bool isStale[2], isHeir[2];
byte order[2];
mtype:status verdict[2] = unused;

byte faults = FAULTS;
/* Nothing stands still or goes wrong any more, for so many ticks. */
bool isCalm;
byte inCalm;

#define isHere (phase[me] != away)
#define isFree (owner == NOBODY || owner == me || isBuried[owner])
#define isDecided (status[0] == placed || status[1] == placed || (status[0] == absent && status[1] == absent))
#define isReady (phase[me] == ready && !isStale[me])
#define mayStrike (faults > 0 && !isCalm)

#ifdef NO_EPOCH
#define isFenced false
#else
#define isFenced (epoch != mine[me])
#endif
#ifdef NO_DEADLINE
#define mayLeave true
#else
#define mayLeave (held[me] > 0)
#endif
#ifdef NO_WAIT
#define isOver (since >= OWN)
#else
#define isOver (since >= (isShort -> OWN : INHERITED))
#endif
/* A process' time-outs come before what it asks later. */
#define mayConclude(n) (isListed[n] || (isOver && sender[n] != me))

inline forget() {
  mine[me] = 0; isStale[me] = false; isHeir[me] = false; order[me] = 0; verdict[me] = unused
}

/* A new row under a new name: the old one is found dead. */
inline join() {
  if :: owner == me -> owner = NOBODY :: else fi;
  until[me] = LEASE; isCut[me] = false; isBuried[me] = false;
  held[me] = HELD; isAsking[me] = false; asked[me] = 0;
  forget();
  phase[me] = joined
}

/* What is on the wire stays there. */
inline lose() {
  forget();
  phase[me] = joined
}

inline decide(n, what) {
  order[me] = n; verdict[me] = what; phase[me] = committing
}

inline write() {
  status[order[me]] = verdict[me];
  since = 0;
  isShort = (verdict[me] == unknown && !isHeir[me]);
  isStale[OTHER] = (mine[OTHER] > 0);
  if
  :: verdict[me] == intended -> phase[me] = sending
  :: else -> phase[me] = ready; order[me] = 0
  fi;
  verdict[me] = unused; isHeir[me] = false
}

inline readAgain() {
#ifdef OLD_RETRY
  isHeir[me] = false;
#endif
  phase[me] = loading; order[me] = 0;
  /* A time-out that could not be written has its turn after the reading. */
  if :: verdict[me] != unknown -> verdict[me] = unused :: else fi
}

inline load() {
  isStale[me] = false;
  if
  :: status[0] == intended -> decide(0, unknown)
  :: status[1] == intended -> decide(1, unknown)
  :: status[0] == unknown && isShort && verdict[me] == unknown -> decide(0, unknown)
  :: status[1] == unknown && isShort && verdict[me] == unknown -> decide(1, unknown)
  :: else ->
       verdict[me] = unused;
#ifndef OLD_HEIR
       /* Its connection may have been open still when its process ended. */
       if :: isHeir[me] -> isShort = false :: else fi;
#endif
       isHeir[me] = false;
       phase[me] = ready
  fi
}

inline conclude(n) {
  if :: isListed[n] -> decide(n, placed) :: else -> decide(n, absent) fi
}

inline reset(n) {
  life[n] = 0; sender[n] = NOBODY
}

/* Of an order that was lost sight of already, in an account that was read again. */
inline timeOut(n) {
  reset(n);
#ifndef OLD_TIMEOUT
  if
  :: isReady && status[n] == unknown && isShort -> decide(n, unknown)
  :: phase[me] == loading -> verdict[me] = unknown
  :: else
  fi
#endif
}

inline take(n) {
  isTaken[n] = true;
  assert(!isTaken[1 - n])
}

inline leaveBehind(n) {
  if :: sender[n] == me -> sender[n] = NOBODY :: else fi
}

proctype worker(byte me) {
end:
  do
  :: atomic { !isHere -> join() }

  /* The lease: it counts from the question. */
  :: atomic { isHere && !isCut[me] && !isAsking[me] && until[me] < LEASE ->
       if
       :: isBuried[me] -> join()
       :: else -> until[me] = LEASE; isAsking[me] = true; asked[me] = HELD
       fi }
  :: atomic { isAsking[me] ->
       if :: held[me] < asked[me] -> held[me] = asked[me] :: else fi;
       isAsking[me] = false; asked[me] = 0 }
  :: atomic { isHere && isCut[me] -> isCut[me] = false }

  /* The other's lease is over, or its lock was free. */
  :: atomic { isHere && owner == OTHER && !isBuried[OTHER] && (until[OTHER] == 0 || isCut[OTHER]) -> isBuried[OTHER] = true }

  /* The claim, one transaction. */
  :: atomic { phase[me] == joined && held[me] > 0 && !isBuried[me] && !isCut[me] && isFree && (epoch < TAKEOVERS || isCalm) ->
       epoch++; owner = me; mine[me] = epoch;
       isHeir[me] = !isReleased; isReleased = false;
       phase[me] = loading }
  /* What was on its way may have left, or not. */
  :: atomic { phase[me] == loading -> if :: isFenced -> lose() :: else -> load() fi }

  /* Decides, by what it last read. */
  :: atomic { isReady && status[0] == unused -> decide(0, intended) }
  :: atomic { isReady && status[0] == absent && status[1] == unused -> decide(1, intended) }
  :: atomic { isReady && status[0] == unknown && mayConclude(0) -> conclude(0) }
  :: atomic { isReady && status[1] == unknown && mayConclude(1) -> conclude(1) }

  /* Commits, in one statement. */
  :: atomic { phase[me] == committing ->
       if
       :: isFenced -> lose()
       :: !isFenced && isStale[me] -> readAgain()
       :: !isFenced && !isStale[me] -> write()
       fi }

  /* The last look, in the turn of the write; then the reply, or the time-out, which resets the connection. */
  :: atomic { phase[me] == sending ->
       if
       :: mayLeave -> life[order[me]] = LATE; sender[order[me]] = me; phase[me] = waiting
       :: else -> decide(order[me], absent)
       fi }
  :: atomic { phase[me] == waiting && isTaken[order[me]] -> decide(order[me], placed) }
  :: atomic { phase[me] == waiting && !isTaken[order[me]] -> reset(order[me]); decide(order[me], unknown) }
  :: atomic { isHere && phase[me] != waiting && sender[0] == me -> timeOut(0) }
  :: atomic { isHere && phase[me] != waiting && sender[1] == me -> timeOut(1) }

  :: atomic { isHere && phase[me] != joined && owner != me -> lose() }
  /* Lets it go with nothing on the wire. */
  :: atomic { phase[me] == ready && owner == me && sender[0] != me && sender[1] != me && !isCalm ->
       owner = NOBODY; isReleased = true; lose() }

  /* What goes wrong: kill -9; the session with the database ends; a commit is refused, or its answer lost. */
  :: atomic { mayStrike && isHere ->
       faults--; phase[me] = away; isCut[me] = true; held[me] = 0; isAsking[me] = false; asked[me] = 0;
       leaveBehind(0); leaveBehind(1);
       forget() }
  :: atomic { mayStrike && isHere && !isCut[me] -> faults--; isCut[me] = true }
  :: atomic { mayStrike && (phase[me] == committing || phase[me] == waiting) -> faults--; readAgain() }
  :: atomic { mayStrike && phase[me] == committing && !isFenced && !isStale[me] -> faults--; write(); readAgain() }
  od
}

active proctype wire() {
end:
  do
  :: atomic { life[0] > 0 && !isTaken[0] -> take(0) }
  :: atomic { life[1] > 0 && !isTaken[1] -> take(1) }
  od
}

inline less(time) {
  if :: time > 0 -> time-- :: else fi
}

inline tick() {
  less(until[0]); less(until[1]); less(held[0]); less(held[1]); less(asked[0]); less(asked[1]);
  less(life[0]); less(life[1]);
  if :: life[0] == 0 -> sender[0] = NOBODY :: else fi;
  if :: life[1] == 0 -> sender[1] = NOBODY :: else fi;
  isListed[0] = isTaken[0]; isListed[1] = isTaken[1];
  if :: (status[0] == unknown || status[1] == unknown) && since < INHERITED -> since++ :: else fi
}

active proctype clock() {
end:
  do
  :: d_step { !isCalm -> tick() }
#ifdef CALM
  :: d_step { !isCalm && !isDecided -> isCalm = true }
  /* All that can happen happens before time goes on. */
  :: atomic { isCalm && !isDecided && timeout -> tick(); inCalm++; assert(inCalm < CALM || isDecided) }
#endif
  od
}

init { atomic { run worker(0); run worker(1) } }
