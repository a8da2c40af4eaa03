//! The monitor of a terminal: a progress bar after half a second, Ctrl-C at once.

use std::fmt::Write;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use isotherm::monitor::{Event, Monitor};
use isotherm_io::{Destination, Source};

use crate::args::Common;

/// Set by Ctrl-C; every monitor sees it.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set while standard input is read or standard output written: that may block
/// for ever.
static WAITING: AtomicBool = AtomicBool::new(false);

/// What is said last, and whether in JSON.
static LAST_WORD: OnceLock<(fn(bool), bool)> = OnceLock::new();

/// The bar, so that whatever is said can be said beside it.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Set when standard output belongs to the data: no bar from here on.
static AWAY: AtomicBool = AtomicBool::new(false);

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long a last word may take.
const FAREWELL: Duration = Duration::from_millis(200);

/// Makes Ctrl-C ask for an orderly stop: the library returns, temporary files
/// go, the exit code is 130. Where that would not come soon, `farewell` is said
/// and the process ends.
pub(crate) fn listen_for_interrupts(farewell: fn(bool), json: bool) {
    let _ = LAST_WORD.set((farewell, json));
    // Without a handler Ctrl-C still ends the process, only less tidily.
    let _ = ctrlc::set_handler(move || {
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        if again || WAITING.load(Ordering::SeqCst) {
            leave(move || farewell(json));
        }
    });
}

/// Whether Ctrl-C was pressed, for waiting that has no monitor.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Ends the process from the handler's thread: a read or a write may block for
/// ever, and who asks twice does not want to wait.
#[allow(clippy::exit)]
fn leave(farewell: impl Fn() + Send + 'static) {
    isotherm_io::temporary_files::abandon();
    let (said, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        if let Some(bar) = BAR.get() {
            bar.finish_and_clear();
        }
        farewell();
        let _ = said.send(());
    });
    // Whoever blocks may hold the terminal: then nothing can be said.
    let _ = heard.recv_timeout(FAREWELL);
    std::process::exit(130)
}

/// Runs `read`; if it reads standard input, Ctrl-C does not wait for it.
pub(crate) fn awaiting<T>(source: &Source, read: impl FnOnce() -> T) -> T {
    awaiting_any(std::slice::from_ref(source), read)
}

/// As [`awaiting`], where several are read.
pub(crate) fn awaiting_any<T>(sources: &[Source], read: impl FnOnce() -> T) -> T {
    if !sources.contains(&Source::Stdin) {
        return read();
    }
    let before = WAITING.swap(true, Ordering::SeqCst);
    // Of the handler and of whoever begins to wait, one sees the other: nobody waits for ever.
    if let (true, Some((farewell, json))) = (INTERRUPTED.load(Ordering::SeqCst), LAST_WORD.get()) {
        leave(move || farewell(*json));
    }
    let done = read();
    WAITING.store(before, Ordering::Relaxed);
    done
}

/// Writes to standard output beside the bar; Ctrl-C does not wait for a reader.
pub(crate) fn printing<T>(write: impl FnOnce() -> T) -> T {
    let before = WAITING.swap(true, Ordering::Relaxed);
    let done = aside(write);
    WAITING.store(before, Ordering::Relaxed);
    done
}

/// Says something without the bar in its way: the bar is taken off the screen
/// and drawn again below.
pub(crate) fn aside<T>(say: impl FnOnce() -> T) -> T {
    match BAR.get() {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

/// Takes the bar away for good when the data goes to standard output.
pub(crate) fn make_way(for_data: &Destination) {
    if let (Destination::Stdout, Some(bar)) = (for_data, BAR.get()) {
        AWAY.store(true, Ordering::Relaxed);
        WAITING.store(true, Ordering::Relaxed);
        bar.finish_and_clear();
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
}

/// Shows phases, steps and residuals on standard error, and keeps the time.
pub(crate) struct Terminal {
    bar: ProgressBar,
    shown: bool,
    /// How often --verbose was said.
    verbose: u8,
    started: Instant,
    /// The phase that runs, since when, and the last residual.
    phase: Option<(&'static str, Instant)>,
    residual: Option<(usize, f64)>,
    /// Phases that are over, in the order they first began, with their time.
    over: Vec<(&'static str, Duration, usize)>,
}

impl Terminal {
    /// Shows nothing unless standard error is a terminal and wants to be told.
    pub(crate) fn new(common: &Common) -> Self {
        let visible = !common.quiet && !common.no_progress && !common.json;
        let shown = visible && std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        // There is one terminal; a second monitor would keep its bar to itself.
        let _ = BAR.set(bar.clone());
        Self {
            bar,
            shown,
            verbose: if common.json { 0 } else { common.verbose },
            started: Instant::now(),
            phase: None,
            residual: None,
            over: Vec::new(),
        }
    }

    /// The time of each phase, where more was to be told.
    pub(crate) fn times(&mut self) -> Vec<String> {
        self.close();
        if self.verbose == 0 {
            return Vec::new();
        }
        let mut lines = vec![format!(
            "{:>9.3} s in all",
            self.started.elapsed().as_secs_f64()
        )];
        for (name, time, times) in &self.over {
            let often = match times {
                1 => String::new(),
                n => format!(" ({n} times)"),
            };
            lines.push(format!("{:>9.3} s {name}{often}", time.as_secs_f64()));
        }
        lines
    }

    /// Ends the phase that runs.
    fn close(&mut self) {
        let Some((name, since)) = self.phase.take() else {
            return;
        };
        let time = since.elapsed();
        if self.verbose > 1 {
            let residual = self.residual.take().map(|(iteration, relative)| {
                format!(", {iteration} iterations, residual {relative:.1e}")
            });
            let residual = residual.unwrap_or_default();
            let line = format!("{:>9.3} s {name}{residual}", time.as_secs_f64());
            crate::console::say(&line);
        }
        match self.over.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, all, times)) => {
                *all += time;
                *times += 1;
            }
            None => self.over.push((name, time, 1)),
        }
    }

    /// Takes the bar off the screen.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn reveal(&mut self) {
        let away = AWAY.load(Ordering::Relaxed);
        if self.bar.is_hidden() && !away && self.started.elapsed() > PATIENCE {
            self.bar
                .set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
        }
    }

    fn begin(&mut self, name: &'static str, steps: Option<usize>) {
        // Below 80 columns whatever the numbers: a line that wraps cannot be taken away.
        let known = "{msg:30!} [{bar:20}] {percent:>3} %  {rate:>6}/s  {eta} left";
        let unknown = "{msg:40!} {spinner} {elapsed}";
        let template = if steps.is_some() { known } else { unknown };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let style = style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                // A bar that cannot be written is not worth an error.
                let _ = out.write_str(&rate(state.per_sec()));
            });
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.reset();
        self.bar.set_length(steps.unwrap_or(0) as u64);
        self.bar.set_message(name);
    }
}

/// Steps a second in six characters at most: rows, bytes or parts, as the phase counts.
fn rate(per_second: f64) -> String {
    let scaled = |unit: f64, mark: &str| match per_second / unit {
        v if v < 10.0 => format!("{v:.1} {mark}"),
        v => format!("{v:.0} {mark}"),
    };
    match per_second {
        v if v >= 1e9 => scaled(1e9, "G"),
        v if v >= 1e6 => scaled(1e6, "M"),
        v if v >= 1e3 => scaled(1e3, "k"),
        _ => scaled(1.0, "").trim_end().to_owned(),
    }
}

impl Monitor for Terminal {
    fn on(&mut self, event: Event) -> ControlFlow<()> {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        match event {
            Event::Phase { name, .. } if self.verbose > 0 => {
                self.close();
                self.phase = Some((name, Instant::now()));
            }
            Event::Residual {
                iteration,
                relative,
            } => self.residual = Some((iteration, relative)),
            _ => {}
        }
        if self.shown {
            self.reveal();
            match event {
                Event::Phase { name, steps } => self.begin(name, steps),
                Event::Step { done } => self.bar.set_position(done as u64),
                Event::Residual {
                    iteration,
                    relative,
                } => self
                    .bar
                    .set_message(format!("iteration {iteration}, residual {relative:.1e}")),
                _ => self.bar.tick(),
            }
        }
        ControlFlow::Continue(())
    }
}
