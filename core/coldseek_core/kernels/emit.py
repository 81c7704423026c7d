# pyright: basic, reportMissingTypeStubs=false
# Numba and llvmlite come without types.
"""Compile every kernel for one CPU level to one object file, and what loads and calls them to another.

Usage: python -m coldseek_core.kernels.emit LEVEL FILE FILE

A process of its own for each level (see sealing.py), because the kernels' source asks for the CPU when it is imported.
Numba gives each kernel's LLVM code as it is before any optimisation, so nothing of this machine is in it; LLVM
optimises and compiles all of them together for the level. No step may fuse a multiplication and an addition.
"""

import re
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core import ccallback
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext

from . import target
from .levels import LEVELS
from .options import OPTIONS
from .python_module import PREFIX, python_module
from .signatures import SIGNATURES

_ANY_CPU = {"x86_64": ("x86-64", ""), "aarch64": ("generic", "+neon")}

# What asks an x86-64 CPU for its features, one register at a time. Compiled for any x86-64.
_CPU_QUESTION = f"""
define i32 @{PREFIX}cpuid(i32 %leaf, i32 %subleaf, i32 %register) noinline nounwind {{
  %all = call {{i32, i32, i32, i32}} asm sideeffect "cpuid", "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(
    i32 %leaf, i32 %subleaf)
  %a = extractvalue {{i32, i32, i32, i32}} %all, 0
  %b = extractvalue {{i32, i32, i32, i32}} %all, 1
  %c = extractvalue {{i32, i32, i32, i32}} %all, 2
  %d = extractvalue {{i32, i32, i32, i32}} %all, 3
  %is_a = icmp eq i32 %register, 0
  %is_b = icmp eq i32 %register, 1
  %is_c = icmp eq i32 %register, 2
  %c_or_d = select i1 %is_c, i32 %c, i32 %d
  %b_to_d = select i1 %is_b, i32 %b, i32 %c_or_d
  %value = select i1 %is_a, i32 %a, i32 %b_to_d
  ret i32 %value
}}

define i64 @{PREFIX}xgetbv(i32 %number) noinline nounwind {{
  %halves = call {{i32, i32}} asm sideeffect "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 %number)
  %low = extractvalue {{i32, i32}} %halves, 0
  %high = extractvalue {{i32, i32}} %halves, 1
  %wide_low = zext i32 %low to i64
  %wide_high = zext i32 %high to i64
  %shifted = shl i64 %wide_high, 32
  %value = or i64 %shifted, %wide_low
  ret i64 %value
}}
"""


def emit_kernels(level: str) -> bytes:
    """All kernels of a level as one relocatable object, each exported as `coldseek_<name>`."""
    target.compile_for(level)
    _leave_out_machine_code()
    from .sources import SOURCES, numba_signature  # asks for the CPU

    machine, cpu, features = LEVELS[level]
    target_machine = _target_machine(machine, cpu, features)
    module = llvm.parse_assembly("")
    for name in SIGNATURES:
        module.link_in(_kernel(name, SOURCES[name], numba_signature(name), target_machine))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and not value.name.startswith(PREFIX):
            value.linkage = "internal"
            value.visibility = "default"
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(target_machine, options)
    builder.getModulePassManager().run(module, builder)
    return target_machine.emit_object(module)


def emit_python_module(level: str) -> bytes:
    """What makes a Python module of a level's library, and on x86-64 asks the CPU, for any CPU of that machine."""
    machine = LEVELS[level][0]
    target_machine = _target_machine(machine, *_ANY_CPU[machine])
    module = llvm.parse_assembly(python_module(machine))
    if machine == "x86_64":
        module.link_in(llvm.parse_assembly(_CPU_QUESTION))
    module.triple = target_machine.triple
    module.data_layout = str(target_machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    builder = llvm.create_pass_builder(target_machine, options)
    builder.getModulePassManager().run(module, builder)
    return target_machine.emit_object(module)


def _leave_out_machine_code() -> None:
    """Numba would compile each function for this machine, too, which may lack the level's instructions. Nothing of
    that is run here. Numba tells functions apart by their entries, so each is given a built-in one of its own.
    """
    setattr(JITCodeLibrary, "_finalize_specific", lambda *_: None)  # noqa: B010 - Numba's types know no other function
    setattr(CPUContext, "get_executable", lambda *_: [].append)  # noqa: B010


def _target_machine(machine: str, cpu: str, features: str) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    chosen = llvm.Target.from_triple(f"{machine}-unknown-linux-gnu")
    return chosen.create_target_machine(cpu=cpu, features=features, opt=3, reloc="pic", codemodel="default")


def _kernel(name: str, source: Any, signature: Any, target_machine: Any) -> Any:
    """One kernel's module, with what it calls, for the target, its C function called `coldseek_<name>`."""
    # Numba's own `cfunc` without its last step, which would compile for this machine.
    compiled: Any = ccallback.CFunc(source, (signature.args, signature.return_type), locals={}, options=OPTIONS)
    result = compiled._compiler.compile(signature.args, signature.return_type)
    with global_compiler_lock:
        result.library.finalize()  # brings in what the kernel calls
    text = result.library.get_llvm_str()
    text = re.sub(r'^target triple = ".*"$', f'target triple = "{target_machine.triple}"', text, flags=re.M)
    layout = f'target datalayout = "{target_machine.target_data}"'
    text = re.sub(r'^target datalayout = ".*"$', layout, text, flags=re.M)
    module = llvm.parse_assembly(text)
    module.get_function(result.fndesc.llvm_cfunc_wrapper_name).name = f"{PREFIX}{name}"
    return module


def main(level: str, kernels: str, python: str) -> None:
    Path(kernels).write_bytes(emit_kernels(level))
    Path(python).write_bytes(emit_python_module(level))


if __name__ == "__main__":
    main(*sys.argv[1:])
