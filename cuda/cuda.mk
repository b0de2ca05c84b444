# The GPU module, ted_cuda.so: CUDA=1 builds and installs it beside the extension.  The object of X.cu is build/cuda/X.cu.o.

CUDA_OBJS = $(addprefix src/,core/tree/tree.o core/tree/mirror.o engine/gpu/gpu_time.o)
NVCC ?= $(firstword $(wildcard /usr/local/cuda/bin/nvcc) nvcc)
NVCC_COMMON = --std=c++17 -Xcompiler -fPIC -cudart static -gencode arch=compute_90,code=compute_90
NVCC_FLAGS = -O3 $(NVCC_COMMON) -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
NVCC_QUICK = -O1 -Xcicc -O0 $(NVCC_COMMON)
CUDA_MODULE = $(patsubst %,build/cuda/%.o,$(wildcard cuda/*.cc cuda/*/*.cc cuda/*/*.cu))

ted_cuda.so: $(CUDA_MODULE) $(CUDA_OBJS)
	$(NVCC) $(NVCC_FLAGS) -Xlinker -Bsymbolic,-z,defs -shared -o $@ $^

install-cuda: ted_cuda.so installdirs
	$(INSTALL_SHLIB) ted_cuda.so '$(DESTDIR)$(pkglibdir)/'

uninstall-cuda:
	rm -f '$(DESTDIR)$(pkglibdir)/ted_cuda.so'

build/cuda/%.o: %
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_FLAGS) $(DEPENDENCIES) -MT $@ -MF $(@:.o=.d) -c -o $@ $<

# What nvcc says of the module, without its optimiser and for one architecture.
check-cuda: build/quick/ted_cuda.so

build/quick/%.o: %
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_QUICK) $(DEPENDENCIES) -MT $@ -MF $(@:.o=.d) -c -o $@ $<

build/quick/ted_cuda.so: $(CUDA_MODULE:build/cuda/%=build/quick/%) $(CUDA_OBJS)
	$(NVCC) $(NVCC_QUICK) -Xlinker -Bsymbolic,-z,defs -shared -o $@ $^

.PHONY: check-cuda install-cuda uninstall-cuda
